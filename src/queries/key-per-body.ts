/** Idempotency keys: the same body sent again has the same key, another body is another request. */
import { useState } from "react";
import { randomId } from "../lib/random-id.ts";

/** Answers the key to send `body` with; remembers the last body only. */
export function createKeys(newId: () => string): (body: unknown) => string {
  let last: { text: string; key: string } | undefined;
  return (body) => {
    const text = JSON.stringify(body);
    if (last?.text !== text) last = { text, key: newId() };
    return last.key;
  };
}

/** The keys of one form, as long as it is shown. */
export function useKeyPerBody(): (body: unknown) => string {
  const [keyOf] = useState(() => createKeys(randomId));
  return keyOf;
}
