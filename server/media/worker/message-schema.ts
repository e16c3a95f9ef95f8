/**
 * Checks what the media process sends. It has read a file from a stranger, so its messages are no more to be trusted than the file: results are plain data
 * within bounds, and files have one of the fixed names in the folder of the job.
 */
import * as z from "zod/mini";
import { DOCUMENT_LIMITS, type DocumentText } from "../documents/document-text.ts";
import { FAILURES, type FailureCode } from "../failure.ts";
import type { ChildMessage } from "./messages.ts";

const MAX_TEXT = 20_000;
const MAX_ANNOTATIONS = 1_000_000;
const MAX_VALUES = 10_000;
const MAX_ITEMS = 200;
/** A PDF may claim to have any number of pages. */
const MAX_PAGE_COUNT = 10_000_000;

const text = z.string().check(z.maxLength(MAX_TEXT));
const token = z.string().check(z.regex(/^[a-z0-9][a-z0-9._+-]{0,63}$/i));
const amount = z.number().check(z.nonnegative());
const values = z.array(z.number()).check(z.maxLength(MAX_VALUES));
const list = <T extends z.ZodMiniType>(item: T) => z.array(item).check(z.maxLength(MAX_ITEMS));
const mediaType = z.string().check(z.regex(/^(audio|video|image)\/[a-z0-9.+-]{1,64}$/));

function isObjectText(value: string): boolean {
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
}

const probe = z.object({
  kind: z.enum(["audio", "video", "image", "document"]),
  type: token,
  bytes: amount,
  audio: z.nullable(
    z.object({
      encoding: text,
      lossless: z.boolean(),
      bitrate: text,
      bitsPerSample: amount,
      sampleRate: amount,
      channels: amount,
      layout: text,
      samples: amount,
      duration: amount,
    }),
  ),
  video: z.nullable(
    z.object({
      encoding: text,
      width: amount,
      height: amount,
      frameRate: amount,
      rotation: z.literal([0, 90, 180, 270]),
      pixelFormat: text,
      duration: amount,
    }),
  ),
  image: z.nullable(z.object({ format: token, width: amount, height: amount, pages: amount })),
  annotations: z.string().check(z.maxLength(MAX_ANNOTATIONS), z.refine(isObjectText, "must be a JSON object")),
  notes: list(z.object({ code: z.enum(["ends-early", "damaged-parts", "bad-samples", "not-supported", "no-picture"]), text })),
});

const peaks = z.object({
  sampleRate: amount,
  channels: amount,
  levels: list(z.object({ file: z.string().check(z.regex(/^peaks-\d{1,9}\.dat$/)), samplesPerPixel: amount, pixels: amount, bytes: amount })),
  wave: values,
  shortWave: values,
});

const decibels = z.nullable(z.number());
const loudness = z.object({
  integrated: decibels,
  range: decibels,
  momentaryMax: decibels,
  shortTermMax: decibels,
  truePeak: decibels,
  samplePeak: decibels,
  defects: z.object({
    clippedRuns: amount,
    clippedSamples: amount,
    silenceHead: amount,
    silenceTail: amount,
    silent: z.boolean(),
    correlation: decibels,
    monoLoss: decibels,
    balance: decibels,
    identicalChannels: z.boolean(),
    deadChannels: list(amount),
  }),
  warnings: list(
    z.object({
      code: z.enum(["clipping", "true-peak", "silence-head", "silence-tail", "silent", "phase", "mono-loss", "dual-mono", "dead-channel", "balance"]),
      text,
      places: list(z.object({ from: amount, to: amount })),
    }),
  ),
});

const music = z.object({
  tempo: z.object({ bpm: amount, confidence: amount, candidates: list(z.object({ bpm: amount, strength: z.number() })) }),
  key: z.object({
    name: text,
    confidence: amount,
    tuningCents: z.number(),
    candidates: list(z.object({ name: text, tonic: amount, mode: z.enum(["major", "minor"]), strength: z.number() })),
  }),
});

const scoredLabels = list(z.tuple([text, z.number()]));
const labels = z.object({
  state: z.enum(["labeled", "no-model", "not-installed", "failed"]),
  reason: text,
  genres: scoredLabels,
  moods: scoredLabels,
  instruments: scoredLabels,
});

const copy = z.object({
  file: z.string().check(z.regex(/^copy\.[a-z0-9]{1,8}$/)),
  method: z.enum(["encode", "remux", "video"]),
  mime: mediaType,
  bytes: amount,
});

const picture = { mime: mediaType, width: amount, height: amount };
const pictures = z.object({
  thumbnail: z.nullable(z.object({ file: z.string().check(z.regex(/^thumbnail\.[a-z0-9]{1,8}$/)), ...picture })),
  stills: z.nullable(
    z.object({ file: z.string().check(z.regex(/^stills\.[a-z0-9]{1,8}$/)), ...picture, columns: amount, rows: amount, count: amount, everySeconds: amount }),
  ),
});

const isStorable = (value: string): boolean => value.isWellFormed() && !value.includes("\0");
const pageText = z.string().check(z.maxLength(DOCUMENT_LIMITS.pageCharacters), z.refine(isStorable, "must be well-formed text without NUL"));
const isInOrder = (pages: DocumentText["pages"]): boolean => pages.every(({ number }, index) => number === index + 1);
const isWithinLimit = (pages: DocumentText["pages"]): boolean => pages.reduce((sum, page) => sum + page.text.length, 0) <= DOCUMENT_LIMITS.characters;
const documentText = z.object({
  state: z.enum(["indexed", "empty", "encrypted", "failed"]),
  reason: text,
  unit: z.enum(["page", "part"]),
  pageCount: z.int().check(z.nonnegative(), z.maximum(MAX_PAGE_COUNT)),
  isCut: z.boolean(),
  pages: z
    .array(z.object({ number: z.int(), text: pageText }))
    .check(z.maxLength(DOCUMENT_LIMITS.pages), z.refine(isInOrder, "must be numbered from 1"), z.refine(isWithinLimit, "must be within the limit")),
});

const step = z.discriminatedUnion("step", [
  z.object({ step: z.literal("probe"), value: probe }),
  z.object({ step: z.literal("peaks"), value: peaks }),
  z.object({ step: z.literal("loudness"), value: loudness }),
  z.object({ step: z.literal("music"), value: music }),
  z.object({ step: z.literal("labels"), value: labels }),
  z.object({ step: z.literal("copy"), value: z.nullable(copy) }),
  z.object({ step: z.literal("pictures"), value: pictures }),
  z.object({ step: z.literal("text"), value: documentText }),
]);

const message = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("progress"),
    progress: z.object({ phase: z.enum(["analysis", "copy", "pictures", "text"]), share: z.number().check(z.minimum(0), z.maximum(1)) }),
    rss: z.nullable(amount),
  }),
  z.object({ type: z.literal("step"), done: step }),
  z.object({ type: z.literal("finished") }),
  z.object({ type: z.literal("failed"), failure: z.object({ code: z.enum(Object.keys(FAILURES) as [FailureCode]), text, detail: z.string() }) }),
]);

/** Returns the message, or what is wrong with it. */
export function parseChildMessage(received: unknown): { message: ChildMessage } | { fault: string } {
  const { success, data, error } = z.safeParse(message, received);
  if (success) return { message: data };
  const [issue] = error.issues;
  return { fault: `${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}` };
}
