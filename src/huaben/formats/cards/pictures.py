"""Which bytes are a picture that a page can show; apart because several containers ask."""


def is_picture(data: bytes) -> bool:
    """Whether the bytes begin as PNG, JPEG, WebP or GIF do."""
    if data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")):
        return True
    return data[:4] == b"RIFF" and data[8:12] == b"WEBP"


def picture_ext(data: bytes) -> str:
    """The file ending of a picture, `unknown` for other bytes."""
    if data.startswith(b"\x89PNG"):
        return "png"
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"GIF8"):
        return "gif"
    return "webp" if is_picture(data) else "unknown"
