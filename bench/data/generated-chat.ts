/** Generates a realistic chat of any length, deterministic per seed: mixed lengths, replies, links, several people, days and nights. */
const WORDS =
  "bass kick snare vocal mix master bounce stem chorus verse bridge intro outro loud quiet hot warm thin wide mono stereo left right level gain reverb delay tail cut boost low high mid air edit take comp tune tempo key session export import version old new better worse again please listen check send tomorrow today tonight maybe sure thanks done fixed ready almost never always the a is it that this we you I they at on in with without from for and but so then".split(
    " ",
  );
const LINKS = ["https://studio.example/mixes/42", "https://files.example/a?b=c", "www.example.com/notes"];
const SAMPLE_MESSAGES = [
  "Bass is hot at 1:23",
  "Fixed, listen again",
  "**Approved** from my side",
  "- vocals up\n- snare down\n- less reverb",
  "> quoted\nyes",
  "👍",
  "日本語の字典",
  "Łódź take",
];
/** A word that no generated text contains. */
export const RARE_WORD = "glockenspiel";
const ACTIVE_HOURS = [9, 18] as const;

/** Small seeded generator (mulberry32), so that every machine generates the same chat. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface GeneratedMessage {
  id: number;
  username: string;
  body: string;
  datetime: string;
  parent_message_id: number | null;
}

/** Yields messages 1 to `count`, oldest first, with the last one shortly before `end`. */
export function* generateChat(count: number, authors: readonly string[], end: number, seed = 1): Generator<GeneratedMessage> {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const createBody = (): string => {
    const kind = random();
    if (kind < 0.06) return pick(SAMPLE_MESSAGES);
    // Most messages are short, a few are long.
    const length = kind < 0.7 ? 2 + random() * 10 : kind < 0.97 ? 10 + random() * 40 : 60 + random() * 240;
    const words = Array.from({ length: Math.floor(length) }, () => pick(WORDS));
    if (random() < 0.03) words.push(pick(LINKS));
    if (random() < 0.2) words.push(`${Math.floor(random() * 5)}:${String(Math.floor(random() * 60)).padStart(2, "0")}`);
    return words.join(" ");
  };
  const step = Math.max(1_000, Math.min(180_000, (4 * 365 * 86_400_000) / count));
  let at = end - count * step * 1.86;
  let author = pick(authors);
  for (let id = 1; id <= count; id += 1) {
    if (random() < 0.45) author = pick(authors);
    at += step * (0.1 + random() * 1.8);
    // Skips the night.
    const hour = new Date(at).getUTCHours();
    if (hour < ACTIVE_HOURS[0]) at += (ACTIVE_HOURS[0] - hour) * 3_600_000;
    else if (hour >= ACTIVE_HOURS[1] + 4) at += (24 - hour + ACTIVE_HOURS[0]) * 3_600_000;
    const parent = id > 1 && random() < 0.12 ? Math.max(1, id - 1 - Math.floor(random() ** 3 * 2_000)) : null;
    yield { id, username: author, body: createBody(), datetime: new Date(Math.min(at, end)).toISOString(), parent_message_id: parent };
  }
}
