/** Checks a file and its kind before any library opens it. */
import { statSync } from "node:fs";
import { MediaFailure } from "../failure.ts";
import type { MediaKind } from "../recognition/kind.ts";
import type { Job } from "./messages.ts";

const KIND_LABELS: Record<MediaKind, string> = { audio: "audio", video: "a video", image: "an image", document: "a document" };

/** Throws `missing` if the path is not a regular file and `empty` if the file has no bytes. */
export function assertFile(path: string): void {
  const stats = statSync(path);
  if (!stats.isFile()) throw new MediaFailure("missing", "not a regular file");
  if (stats.size === 0) throw new MediaFailure("empty");
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
