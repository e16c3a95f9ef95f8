/** Creates idempotency keys: resending the same body reuses its key, and a different body gets a new one. */
import { useState } from "react";
import { randomId } from "../lib/random-id.ts";

/** Returns a function that returns the key for `body`; it caches only the last body's key. */
export function createIdempotencyKeys(generateId: () => string): (body: unknown) => string {
  let last: { text: string; key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.text !== text) last = { text, key: generateId() };
    return last.key;
  };
}

/** Returns the idempotency keys of one form for as long as it is mounted. */
export function useIdempotencyKey(): (body: unknown) => string {
  const [idempotencyKeyFor] = useState(() => createIdempotencyKeys(randomId));
  return idempotencyKeyFor;
}
