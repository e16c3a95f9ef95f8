/** Dependencies of the files module, and of modules that show files, beyond those shared by all modules. */
import type { Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Tx } from "../../db/schema.ts";
import type { Queue } from "../../jobs/queue.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Notify } from "../notifications/notify.ts";
import type { PageTexts } from "../projects/page-texts.ts";
import type { FilePresenters } from "./presenter.ts";

export interface FileViewDeps extends ModuleDeps {
  /** Presents files; it is created with the service's public URL, because media URLs contain it. */
  present: FilePresenters;
  notify: Notify;
  pageTexts: PageTexts;
}

export interface FilesDeps extends FileViewDeps {
  storage: Storage;
  queue: Queue;
  limits: { maxUploadBytes: number; quotaBytes: number };
  /** Returns the actor as it is now, in the caller's transaction. Throws a 401 if its session or token has ended meanwhile. */
  reauthenticate(tx: Tx, actor: Actor): Promise<Actor>;
  /** Republishes messages that show a comment; the caller must have locked the project's topic. */
  republishSharedComments(tx: Tx, projectId: number, commentId: number): Promise<void>;
}
