/** argon2id with the OWASP floor (m=19456 KiB, t=2, p=1); never more hashes at once than cores. */
import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { invalid } from "../../lib/faults.ts";

const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COMMON = new Set(
  "password1234 123456789012 qwertyuiop12 1234567890123 passwordpassword iloveyou1234 letmein12345 welcome12345 administrator changeme1234 qwerty123456 111111111111 000000000000 talkbacktalkback abcdefghijkl".split(
    " ",
  ),
);

let free = availableParallelism();
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

/** Refuses what is guessed first: common ones, one character again and again, the person's own name or address. */
export function demandGoodPassword(password: string, path: string, own: string[]): void {
  const lower = password.toLowerCase();
  if (COMMON.has(lower) || new Set(lower).size < 4) throw invalid(path, "is too easy to guess");
  if (own.some((one) => one.length >= 3 && lower === one.toLowerCase())) throw invalid(path, "must not be your name or address");
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, OPTIONS));

let dummy: Promise<string> | undefined;

/** False also for accounts without a password, and for unknown ones (`hash` null), after the same work. */
export async function verifyPassword(stored: string | null, password: string): Promise<boolean> {
  dummy ??= hashPassword("nobody has this password");
  const against = stored ?? (await dummy);
  const matches = await inTurn(() => verify(against, password));
  return stored !== null && matches;
}
