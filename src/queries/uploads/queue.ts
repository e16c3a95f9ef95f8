/** What the queue of uploads offers, apart from its code, which comes after the page. */
import type { FileToUpload, Upload } from "./upload.ts";

export interface UploadQueue {
  /** Takes files for a project and starts at once. */
  add(to: { accountId: number; projectId: number }, files: readonly FileToUpload[]): void;
  pause(id: string): void;
  /** Goes on after a pause, tries again after a failure. */
  resume(id: string): void;
  /** Gives it up: it is forgotten on both sides, also where it is a file already that no message carries. */
  cancel(id: string): void;
  /** Brings the bytes again that the browser has not kept. False where it is another file. */
  provideFile(id: string, file: File): boolean;
  /**
   * Moves uploads from the tray to a message, which waits for them. The claim is persisted once `stored` resolves: a page that is reloaded
   * before its message is stored finds the uploads in the tray.
   */
  claim(ids: readonly string[], messageId: string, stored?: Promise<void>): void;
  /** Forgets uploads whose message has been sent, or that nobody wants to see any more; what they brought stays. */
  forget(ids: readonly string[]): void;
  /** Tries at once instead of at the end of a pause. */
  wake(): void;
  /** Loads what this account has left here before, forgets what others have. */
  switchAccount(accountId: number): Promise<void>;
  /** Takes up what tabs that are gone have left. Answers which of the wanted ones nobody has any more; rejects where that cannot be known. */
  recover(ids: readonly string[]): Promise<string[]>;
  /** Of messages that are not waiting any more: what is done went with them, the rest comes back into the tray. */
  reconcile(messageIds: ReadonlySet<string>): void;
  /** Whether the browser keeps the bytes as well; answers when it has tried. */
  isPersisted(id: string): Promise<boolean>;
  /** The bytes, from the page or from what the browser keeps of another one. */
  loadBytes(id: string): Promise<Blob | null>;
  /** The bytes, where the page has them. */
  getFile(id: string): Blob | null;
  /** The same array until something changes. */
  uploads(): readonly Upload[];
  onChange(listener: () => void): () => void;
}
