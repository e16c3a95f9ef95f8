/** Idempotency keys: the same body sent again has the same key, another body is another request. */
import { useState } from "react";
import { randomId } from "../lib/random-id.ts";

/** Answers the key to send `body` with; remembers the last body only. */
export function createIdempotencyKeys(generateId: () => string): (body: unknown) => string {
  let last: { text: string; key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.text !== text) last = { text, key: generateId() };
    return last.key;
  };
}

/** The keys of one form, as long as it is shown. */
export function useIdempotencyKey(): (body: unknown) => string {
  const [idempotencyKeyFor] = useState(() => createIdempotencyKeys(randomId));
  return idempotencyKeyFor;
}
