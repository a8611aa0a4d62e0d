"""What a model or a card may not do to the page that shows it."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from huaben.testing.script import say
from tests.browser.conftest import Stage

HOSTILE = """<script>window.caught = 1</script>正文还在。

<img src="https://example.com/pixel.png" onerror="window.caught = 2" alt="一幅画">
<img src=x onerror="window.caught = 3">
<svg onload="window.caught = 4"><a xlink:href="javascript:window.caught=5">x</a></svg>
<iframe srcdoc="<script>parent.caught = 6</script>"></iframe>
<form action="https://example.com/steal"><input name="key" id="root"><button>发送</button></form>
<style>body { display: none } @import url(https://example.com/a.css);</style>
<link rel="stylesheet" href="https://example.com/b.css">
<base href="https://example.com/"><meta http-equiv="refresh" content="0;url=https://example.com">
<p style="position:fixed;inset:0;background:url(https://example.com/c.png);color:red">红字</p>
<div id="main" class="mantine-Button-root" data-composer>假的输入框</div>
<a href="javascript:window.caught=7">点我</a> <a href="https://example.com/">外面</a>
<video src="https://example.com/d.mp4" autoplay></video>
<object data="https://example.com/e"></object><embed src="https://example.com/f">

![远处的画](https://example.com/g.png) [坏链](javascript:window.caught=8)

**「重点」**内容，“没有收尾的话
"""


def test_a_hostile_reply_is_inert(stage: Callable[..., Stage]) -> None:
    """No script runs, nothing is fetched, nothing leaves its place, no name of the page's is taken;
    the words remain (community § security)."""
    now = stage([say(HOSTILE, chunk=40), say("后来没事。")])
    now.play("来吧。", "正文还在。")
    reply = now.turns.last.locator("[data-reply]")
    now.page.wait_for_timeout(500)
    assert now.page.evaluate("window.caught") is None
    for tag in (
        "script",
        "img",
        "svg",
        "iframe",
        "form",
        "input",
        "style",
        "link",
        "video",
        "embed",
    ):
        expect(reply.locator(tag)).to_have_count(0)
    expect(reply).to_contain_text("一幅画")
    red = reply.get_by_text("红字")
    assert red.evaluate("e => getComputedStyle(e).color") == "rgb(255, 0, 0)"
    assert red.evaluate("e => getComputedStyle(e).position") == "static"
    expect(now.page.locator("#main")).to_have_count(1)
    expect(now.page.locator("[data-composer]")).to_have_count(1)
    hrefs = reply.locator("a").evaluate_all("all => all.map(a => a.getAttribute('href'))")
    assert [href for href in hrefs if href] == ["https://example.com/"]
    expect(reply.locator("strong")).to_have_text("「重点」")
    expect(reply.locator(".dialogue", has_text="没有收尾")).to_have_count(0)
    now.play("然后？", "后来没事。")
