/** Values and events outside React that several parts of the client observe. */
import { useSyncExternalStore } from "react";

export interface Emitter<T = void> {
  emit(value: T): void;
  /** Calls `listener` with each value; returns the unsubscribe function. */
  subscribe(listener: (value: T) => void): () => void;
}

export interface Store<T> {
  get(): T;
  /** Sets the value and notifies subscribers if it differs. */
  set(next: T): void;
  /** Calls `listener` after each change; returns the unsubscribe function. */
  subscribe(listener: () => void): () => void;
}

export function createEmitter<T = void>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of listeners) listener(value);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const { emit, subscribe } = createEmitter();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      emit();
    },
    subscribe,
  };
}

/** Returns a store's value and renders again when it changes. */
export const useStore = <T>({ subscribe, get }: Pick<Store<T>, "subscribe" | "get">): T => useSyncExternalStore(subscribe, get);
