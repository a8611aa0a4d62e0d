/** Following a log of the server for as long as somebody looks: reconnects by itself, takes up after
 * the last event that was seen, never reloads. Used for turns and projects alike. */
import { lineLost, lineMended } from "./line";
import { readEvents, type ServerEvent } from "./sse";

export interface Following {
  /** Number of the last event already seen; 0 for all. */
  after: number;
  onEvent: (event: ServerEvent, seq: number) => void;
  /** Whether the log is over when the server closes the stream; else it is reopened. */
  isOver?: () => boolean;
  /** Close while nobody sees the page: browsers allow six streams to a server, over all tabs. */
  pauseHidden?: boolean;
  /** The log does not exist (any more); nothing follows. */
  onGone?: (status: number) => void;
}

const SILENCE_MS = 40_000; // the server says something every 15 s
const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 8_000;

/** Follow `url` until the returned function is called. Returning to the page, and the network coming
 * back, reopen the stream at once from where it was left. */
export function follow(url: string, following: Following): () => void {
  const name = Symbol(url);
  let after = following.after;
  let wait = FIRST_WAIT_MS;
  let closed = false;
  let current = new AbortController();
  let wake: () => void = () => {};

  const paused = () => following.pauseHidden === true && document.visibilityState === "hidden";

  function reopen(): void {
    if (document.visibilityState === "hidden" && !following.pauseHidden) return;
    wait = FIRST_WAIT_MS;
    current.abort();
    wake();
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function once(): Promise<"over" | "again"> {
    current = new AbortController();
    const { signal } = current;
    const watch = watchdog(() => current.abort());
    try {
      const answer = await fetch(url, {
        headers: { accept: "text/event-stream", "last-event-id": String(after) },
        cache: "no-store",
        signal,
      });
      if (answer.status === 404 || answer.status === 410) {
        following.onGone?.(answer.status);
        return "over";
      }
      if (!answer.ok || answer.body === null) throw new Error(`status ${answer.status}`);
      lineMended(name);
      wait = FIRST_WAIT_MS;
      for await (const event of readEvents(answer.body)) {
        watch.seen();
        if (closed) return "over";
        if (event === null || event.id === "") continue;
        const seq = Number(event.id);
        if (seq <= after) continue; // told twice
        after = seq;
        following.onEvent(event, seq);
      }
      return following.isOver?.() ? "over" : "again";
    } catch {
      if (!closed && !signal.aborted) lineLost(name);
      return "again";
    } finally {
      watch.stop();
    }
  }

  async function run(): Promise<void> {
    while (!closed) {
      if (paused()) {
        await sleep(2 ** 31 - 1);
        continue;
      }
      const done = await once();
      if (closed || done === "over") break;
      await sleep(wait * (0.8 + 0.4 * Math.random()));
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
    stop();
  }

  function stop(): void {
    closed = true;
    current.abort();
    wake();
    lineMended(name);
    document.removeEventListener("visibilitychange", reopen);
    window.removeEventListener("pageshow", reopen);
    window.removeEventListener("online", reopen);
  }

  document.addEventListener("visibilitychange", reopen);
  window.addEventListener("pageshow", reopen);
  window.addEventListener("online", reopen);
  void run();
  return stop;
}

function watchdog(bark: () => void): { seen: () => void; stop: () => void } {
  let timer = setTimeout(bark, SILENCE_MS);
  return {
    seen: () => {
      clearTimeout(timer);
      timer = setTimeout(bark, SILENCE_MS);
    },
    stop: () => clearTimeout(timer),
  };
}
