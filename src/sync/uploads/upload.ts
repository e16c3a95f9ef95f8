/** The state machine of one upload, and the interface of the upload queue. */

/**
 * `queued`: waits for a free slot; `waiting`: has a slot and waits for the connection or the next attempt; `lost`: the browser has not persisted the bytes, so the user
 * must choose the same file again; `failed`: waits for the user's decision.
 */
export type UploadState = "queued" | "uploading" | "waiting" | "paused" | "lost" | "failed" | "done";

/**
 * The destination of a file that is not attached to a message. `path` ("Stems/Drums", "" for none) is relative to the folder and created where it is
 * missing. The names are those shown when the file was added.
 */
export type UploadTarget =
  | { kind: "folder"; folderId: number; folderName: string; path: string }
  /** The upload becomes the next version of a file. */
  | { kind: "version"; fileId: number; fileName: string };

/** A file and its destination; a null `target` attaches it to the project's next message. */
export interface FileToUpload {
  file: File;
  target: UploadTarget | null;
  /** Set when the caller needs the id at once; otherwise one is generated. */
  id?: string;
}

/** What an unsent comment belongs to: the comments of a file, or the replies to a comment. */
export type CommentDraftTarget = `file.${number}` | `comment.${number}`;

export interface Upload {
  id: string;
  accountId: number;
  projectId: number;
  /** Null, or missing in uploads that an earlier version of this client stored: the project's chat. */
  target?: UploadTarget | null;
  /** The final name and folder, if the service reports them when the upload is done. */
  savedAs?: { name: string; folderId: number; folderName: string };
  /** Whether this browser holds the bytes across a reload; undefined while they are being copied. */
  isPersisted?: boolean;
  name: string;
  bytes: number;
  type: string;
  /** Epoch milliseconds. */
  addedAt: number;
  state: UploadState;
  sent: number;
  /** The service's URL for the bytes; null until the upload is created there. */
  url: string | null;
  /** Set once the upload is done. */
  fileId: number | null;
  error: string | null;
  /** Whether a retry may help. */
  isRetryable: boolean;
  /** The unsent comment or reply that the file is attached to; null, or missing in earlier versions: the next message of the chat. */
  draft?: CommentDraftTarget | null;
  /** `clientId` of the message or comment that waits for the upload; null while it is in the tray. */
  messageId: string | null;
  /** True for a canceled upload that the service has not deleted yet. */
  isCanceled?: boolean;
}

export type UploadEvent =
  | { type: "start" }
  | { type: "created"; url: string }
  | { type: "progress"; sent: number }
  /** A request failed and will be repeated. `reason`: the service's, if it gave one. */
  | { type: "retrying"; reason: string | null }
  | { type: "done"; fileId: number; savedAs?: Upload["savedAs"] }
  | { type: "failed"; reason: string }
  /** The browser can no longer read the bytes. */
  | { type: "unreadable" }
  | { type: "pause" }
  | { type: "resume" }
  /** Whether the browser stores a copy of the bytes; undefined while it is being made. */
  | { type: "bytesStored"; isStored: boolean | undefined }
  /** The bytes are available again. */
  | { type: "fileProvided" };

/** The service's limit of attachments per message. */
export const MAX_ATTACHMENTS = 20;

/** Returns true while an upload has a slot. */
export const isTransferring = ({ state }: Upload) => state === "uploading" || state === "waiting";
/** Returns true while an upload proceeds without user action. */
export const isActive = (upload: Upload) => upload.state === "queued" || isTransferring(upload);

/** Returns true while leaving the page would lose the upload's bytes, because the browser has not stored them, or not yet. */
export const isAtRisk = (upload: Upload) => (isActive(upload) || upload.state === "paused") && upload.isPersisted !== true;

/** Returns the upload after an event; the same object when nothing changes. */
export function transition(upload: Upload, event: UploadEvent): Upload {
  const { state } = upload;
  switch (event.type) {
    case "start":
      return state === "queued" ? { ...upload, state: "uploading" } : upload;
    case "created":
      return upload.url === event.url ? upload : { ...upload, url: event.url };
    case "progress":
      return isTransferring(upload) && (state === "waiting" || event.sent !== upload.sent)
        ? { ...upload, state: "uploading", sent: event.sent, error: null }
        : upload;
    case "retrying":
      return isTransferring(upload) && (state === "uploading" || upload.error !== event.reason) ? { ...upload, state: "waiting", error: event.reason } : upload;
    case "done":
      return { ...upload, state: "done", sent: upload.bytes, fileId: event.fileId, error: null, ...(event.savedAs ? { savedAs: event.savedAs } : {}) };
    case "failed":
      return isTransferring(upload) ? { ...upload, state: "failed", error: event.reason, isRetryable: true } : upload;
    case "unreadable":
      return isTransferring(upload) ? { ...upload, state: "lost" } : upload;
    case "pause":
      return isActive(upload) ? { ...upload, state: "paused" } : upload;
    case "resume":
      return state === "paused" || state === "waiting" || (state === "failed" && upload.isRetryable) ? { ...upload, state: "queued", error: null } : upload;
    case "bytesStored":
      return upload.isPersisted === event.isStored || state === "done" ? upload : { ...upload, isPersisted: event.isStored };
    case "fileProvided":
      return state === "lost" ? { ...upload, state: "queued", error: null } : upload;
  }
}

/** Returns whether the upload goes into the files view instead of a message: as a new file or as a version of one. */
export const isFilesViewUpload = ({ target }: Upload): boolean => target !== null && target !== undefined;

/** Returns whether the upload stays stored while another account is signed in: it goes into the files view, or a message waits for it. */
export const survivesAccountSwitch = (upload: Upload): boolean => upload.messageId !== null || isFilesViewUpload(upload);

/** Returns the comment to which the file will be sent in a reply that is still unsent; null for other files. */
export const repliedCommentId = ({ draft, messageId }: Pick<Upload, "draft" | "messageId">): number | null =>
  messageId === null && draft?.startsWith("comment.") ? Number(draft.slice("comment.".length)) : null;

/** Returns whether a chosen file can be the one whose bytes were lost. */
export const isSameFile = (file: { name: string; size: number }, upload: { name: string; bytes: number }) =>
  file.name === upload.name && file.size === upload.bytes;

/** Restores an upload left by an earlier page: it is queued again if it was active, and lost without its bytes. */
export function restoreUpload(upload: Upload, hasBytes: boolean): Upload {
  const restored: Upload = { ...upload, isPersisted: hasBytes };
  if (upload.state === "done") return restored;
  if (!hasBytes) return { ...restored, state: "lost" };
  return isActive(upload) || upload.state === "lost" ? { ...restored, state: "queued" } : restored;
}

/** Returns 0 to 100, and 100 only when done. */
export function uploadPercent({ sent, bytes, state }: Upload): number {
  if (state === "done") return 100;
  return bytes > 0 ? Math.min(99, Math.floor((sent / bytes) * 100)) : 0;
}
