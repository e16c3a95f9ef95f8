/** Reads the first bytes of a file and checks its kind before any library opens it. */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { MediaFailure } from "../failure.ts";
import { type MediaKind, SNIFF_BYTES } from "../probe/kind.ts";
import type { Job } from "./messages.ts";

const KIND_LABELS: Record<MediaKind, string> = { audio: "audio", video: "a video", image: "an image", document: "a document" };

export interface FileHead {
  /** The first `SNIFF_BYTES`, or all bytes if the file is shorter. */
  head: Buffer;
  /** File size. */
  bytes: number;
}

/** Throws `missing` if the path is not a regular file and `empty` if the file has no bytes. */
export function readHead(path: string): FileHead {
  const stats = statSync(path);
  if (!stats.isFile()) throw new MediaFailure("missing", "not a regular file");
  const { size } = stats;
  if (size === 0) throw new MediaFailure("empty");
  const file = openSync(path, "r");
  try {
    const head = Buffer.alloc(Math.min(size, SNIFF_BYTES));
    return { head: head.subarray(0, readSync(file, head, 0, head.length, 0)), bytes: size };
  } finally {
    closeSync(file);
  }
}

/** Throws `not-media` if the request expects another kind. */
export function assertKind(job: Job, kind: MediaKind, type: string): void {
  const { expectedKinds } = job.request;
  if (!expectedKinds || expectedKinds.includes(kind)) return;
  throw new MediaFailure(
    "not-media",
    type,
    `This was expected to be ${expectedKinds.map((expectedKind) => KIND_LABELS[expectedKind]).join(" or ")}, but its content is ${KIND_LABELS[kind]} (${type}).`,
  );
}
