/** Files out of what was dropped or pasted, folders with all that lies in them. */
const MOST = 50_000;

/** All files of a drop. Must be called while the event is handled; the browser forgets it after. */
export function filesOf(data: DataTransfer): Promise<File[]> {
  const entries = [...data.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const plain = [...data.files];
  if (entries.every((entry) => entry === null || entry.isFile)) return Promise.resolve(plain);
  return walk(entries.filter((entry) => entry !== null));
}

async function walk(entries: FileSystemEntry[]): Promise<File[]> {
  const found: File[] = [];
  const waiting = [...entries];
  while (waiting.length > 0 && found.length < MOST) {
    const entry = waiting.shift();
    if (entry === undefined) break;
    if (isFile(entry)) found.push(await fileOf(entry));
    else if (isFolder(entry)) waiting.push(...(await inside(entry)));
  }
  return found;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile && !entry.name.startsWith(".");
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A folder tells what is in it in pieces, the last of which is empty. */
async function inside(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const found: FileSystemEntry[] = [];
  for (;;) {
    const piece = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (piece.length === 0) return found;
    found.push(...piece);
  }
}

/** Files of a paste, or the JSON of a card pasted as text. */
export function pasted(data: DataTransfer): File[] {
  const files = [...data.files];
  if (files.length > 0) return files;
  const text = data.getData("text/plain").trim();
  if (!text.startsWith("{") && !text.startsWith("[")) return [];
  return [new File([text], "pasted.json", { type: "application/json" })];
}
