/** The interface of the upload queue, apart from its code, which loads after the page. */
import type { FileToUpload, Upload } from "./upload.ts";

export interface UploadQueue {
  /** Adds files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, files: readonly FileToUpload[]): void;
  pause(id: string): void;
  /** Resumes after a pause and retries after a failure. */
  resume(id: string): void;
  /**
   * Cancels uploads and removes them on both sides, even when one already became a file that no message carries. They are canceled together, so
   * that none of them starts in the slot of another.
   */
  cancel(...ids: string[]): void;
  /** Provides the bytes that the browser has not persisted; returns false for a different file. */
  provideFile(id: string, file: File): boolean;
  /**
   * Moves uploads from the tray to a message, which waits for them. The claim is persisted once `stored` resolves: a page that is reloaded
   * before its message is stored finds the uploads in the tray.
   */
  claim(ids: readonly string[], messageId: string, stored?: Promise<void>): void;
  /** Drops uploads whose message was sent, or that the user dismissed; their files stay. */
  forget(ids: readonly string[]): void;
  /** Retries at once instead of after the current delay. */
  wake(): void;
  /** Loads the uploads that this account left here before, and unloads those of others. */
  switchAccount(accountId: number): Promise<void>;
  /** Recovers the uploads of closed tabs. Returns which of `ids` no tab has any more; rejects when that is unknown. */
  recover(ids: readonly string[]): Promise<string[]>;
  /** Settles the uploads of messages that are no longer pending: finished ones went with their message, the others return to the tray. */
  reconcile(messageIds: ReadonlySet<string>): void;
  /** Resolves after the copy was attempted, to whether the browser stores the bytes as well. */
  isPersisted(id: string): Promise<boolean>;
  /** Returns the bytes from this page or from storage. */
  loadBytes(id: string): Promise<Blob | null>;
  /** Returns the bytes if this page has them. */
  getFile(id: string): Blob | null;
  /** Returns the same array until something changes. */
  uploads(): readonly Upload[];
  onChange(listener: () => void): () => void;
}
