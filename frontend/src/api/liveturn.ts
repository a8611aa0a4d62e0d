/** A turn that is followed: its events through the reducer, drawn at most once a frame. */
import { useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { follow } from "./follow";
import { applyEvent, NOTHING_YET, type TurnView } from "./turnview";
import type { TurnEvent } from "./types";

const FRAME_MS = 50; // at most 20 paints a second

export class LiveTurn {
  readonly id: string;
  #view: TurnView = NOTHING_YET;
  #shown: TurnView = NOTHING_YET;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  readonly #listeners = new Set<() => void>();

  constructor(id: string) {
    this.id = id;
  }

  /** Follow the turn from its first event; the returned function stops. */
  start(): () => void {
    this.#view = NOTHING_YET;
    const stop = follow(`/api/turns/${this.id}/events`, {
      after: 0,
      pauseHidden: true,
      isOver: () => this.#view.ended,
      onEvent: ({ event, data }) => this.hear(event, data),
    });
    return () => {
      stop();
      clearTimeout(this.#timer);
      this.#timer = undefined;
    };
  }

  /** One event as it came over the wire. */
  hear(kind: string, data: string): void {
    // The server describes its payloads; a kind that is not known changes nothing.
    const event = { kind, data: JSON.parse(data) } as TurnEvent;
    this.#view = applyEvent(this.#view, event);
    if (this.#timer !== undefined) return;
    const wait = Math.max(0, this.#last + FRAME_MS - performance.now());
    this.#timer = setTimeout(() => this.#show(), wait);
  }

  readonly view = (): TurnView => this.#shown;

  /** Whether its log has come to an end, drawn or not. */
  readonly over = (): boolean => this.#view.ended;

  readonly watch = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #show(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    this.#shown = this.#view;
    for (const listener of this.#listeners) listener();
  }
}

/** The turn as it happens. The component must have a key with the turn's id. */
export function useLiveTurn(id: string): TurnView {
  const [turn] = useState(() => new LiveTurn(id));
  useEffect(() => turn.start(), [turn]);
  return useSyncExternalStore(turn.watch, turn.view);
}

/** The turn of that id, followed; another id is another turn, and one that goes on after its end (as
 * `running` says) is followed again, as is one whose log has more to say: `late` counts how often. `null`
 * follows nothing. */
export function useFollowed(id: string | null, running: boolean, late = 0): LiveTurn | null {
  const turn = useMemo(() => (id === null ? null : new LiveTurn(id)), [id]);
  const [epoch, setEpoch] = useState(0);
  useEffect(() => {
    if (running && turn?.over() === true) setEpoch((before) => before + 1);
  }, [running, turn]);
  useEffect(() => {
    if (late > 0 && turn?.over() === true) setEpoch((before) => before + 1);
  }, [late, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another epoch begins the log anew
  useEffect(() => turn?.start(), [turn, epoch]);
  return turn;
}

/** What `pick` takes of a followed turn, drawn again only when that changes; `pick` must give the same
 * value for the same view. */
export function usePicked<T>(turn: LiveTurn | null, pick: (view: TurnView) => T): T {
  const watch = turn?.watch ?? NEVER;
  return useSyncExternalStore(watch, () => pick(turn?.view() ?? NOTHING_YET));
}

const NEVER = () => () => {};
