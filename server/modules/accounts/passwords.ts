/** Hashes passwords with argon2id at the OWASP minimum (m=19456 KiB, t=2, p=1), with at most one concurrent hash per core. */
import { hash, verify } from "@node-rs/argon2";
import { availableParallelism } from "node:os";
import { invalid } from "../../lib/errors.ts";

const ARGON2_OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const COMMON_PASSWORDS = new Set(
  "password1234 123456789012 qwertyuiop12 1234567890123 passwordpassword iloveyou1234 letmein12345 welcome12345 administrator changeme1234 qwerty123456 111111111111 000000000000 talkbacktalkback abcdefghijkl".split(
    " ",
  ),
);

let freeSlots = availableParallelism();
const queue: (() => void)[] = [];

async function withHashSlot<T>(work: () => Promise<T>): Promise<T> {
  if (freeSlots > 0) freeSlots -= 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else freeSlots += 1;
  }
}

/** Throws a 400 for passwords that are easy to guess: common ones, fewer than four distinct characters, the person's name or email address. */
export function assertStrongPassword(password: string, path: string, personalTerms: string[]): void {
  const lower = password.toLowerCase();
  if (COMMON_PASSWORDS.has(lower) || new Set(lower).size < 4) throw invalid(path, "is too easy to guess");
  if (personalTerms.some((term) => term.length >= 3 && lower === term.toLowerCase())) throw invalid(path, "must not be your name or email address");
}

export const hashPassword = (password: string): Promise<string> => withHashSlot(() => hash(password, ARGON2_OPTIONS));

let dummyHash: Promise<string> | undefined;

/** Returns false also for accounts without a password and for unknown ones (`storedHash` null), after the same amount of work. */
export async function verifyPassword(storedHash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword("nobody has this password");
  const hashToVerify = storedHash ?? (await dummyHash);
  const matches = await withHashSlot(() => verify(hashToVerify, password));
  return storedHash !== null && matches;
}
