/** Builds attachments for tests: by default a processed audio file. */
import type { Attachment } from "../../../contract/records.ts";

export function buildAttachment(id: number, changes: Partial<Attachment> = {}): Attachment {
  return {
    id,
    name: `file-${id}.wav`,
    size: 1_000,
    url: `/api/v2/files/${id}/versions/1/original`,
    compressed_file_url: null,
    has_unread_comments: false,
    is_blind_drop: false,
    is_shared: false,
    transcoding_status: "transcoded",
    version: 1,
    kind: "audio",
    audio: { duration: 2.5, wave: [0, 0.5, 1], bpm: 128, key: "A minor", status: null },
    ...changes,
  };
}
