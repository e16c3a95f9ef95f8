/** Values and events outside React that several parts of the client observe. */
import { useSyncExternalStore } from "react";

export type Emitter<T = void> = ReturnType<typeof createEmitter<T>>;

export function createEmitter<T = void>() {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value: T): void {
      for (const listener of listeners) listener(value);
    },
    /** Calls `listener` with each value; returns the unsubscribe function. */
    subscribe(listener: (value: T) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export type Store<T> = ReturnType<typeof createStore<T>>;

export function createStore<T>(initial: T) {
  let value = initial;
  const { emit, subscribe } = createEmitter();
  return {
    get: (): T => value,
    /** Sets the value and notifies subscribers if it differs. */
    set(next: T): void {
      if (Object.is(next, value)) return;
      value = next;
      emit();
    },
    /** Calls `listener` after each change; returns the unsubscribe function. */
    subscribe,
  };
}

export type LatePart<T extends { dispose(): void }> = ReturnType<typeof createLatePart<T>>;

/** Creates a part whose code is not in the first load. */
export function createLatePart<T extends { dispose(): void }>(create: () => Promise<T>) {
  let part: T | null = null;
  let loading: Promise<T> | null = null;
  return {
    /** Loads the code and creates the part, once; a load that failed can be repeated where the browser repeats a failed import, as Chromium does not. */
    load(): Promise<T> {
      loading ??= create().then(
        (created) => (part = created),
        (error: unknown) => {
          loading = null;
          throw error;
        },
      );
      return loading;
    },
    /** Returns the part; null until it has loaded. */
    find: () => part,
    /** Returns the part, which must have loaded. */
    get(): T {
      if (!part) throw new Error("A part of the client was used before it had loaded");
      return part;
    },
    /** Disposes of the part, also if a load in progress ends later; its error goes to the callers of `load`. */
    dispose: () => void loading?.catch(() => undefined).then((created) => created?.dispose()),
  };
}

/** Returns a store's value and renders again when it changes. */
export const useStore = <T>({ subscribe, get }: Pick<Store<T>, "subscribe" | "get">): T => useSyncExternalStore(subscribe, get, get);
