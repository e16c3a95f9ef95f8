/** The composition root: creates everything that a client consists of, once. Tests create their own clients. */
import { type ApiOptions, createApi } from "../api/http.ts";
import type { Client, LatePart } from "../client/client.ts";
import { createEmitter, createStore } from "../lib/store.ts";
import { createClock } from "../lib/time.ts";
import { createProgressStore } from "../queries/files/cache-updates.ts";
import { createPendingChanges } from "../queries/pending-changes.ts";
import { createLoadRecorder, createQueryClient } from "../queries/query-client.ts";
import { watchSession } from "../queries/session.ts";
import { createCursors } from "../queries/topic-cursors.ts";
import { createCommentDrafts } from "../sync/drafts/use-comment-draft.ts";
import { createEdits } from "../sync/drafts/use-editing.ts";
import { createMessageDrafts } from "../sync/drafts/use-message-draft.ts";
import { createLiveSubscriber } from "../sync/live/live-updates.ts";
import { createBrowserOutbox } from "../sync/outbox/browser-outbox.ts";
import { createPresenceStore } from "../sync/presence.ts";
import { createStatusChanges } from "../sync/statuses/use-pending-statuses.ts";
import { loadTabId } from "../sync/tab-id.ts";
import { createUndoableDeletions } from "../sync/undoable-deletions.ts";
import { createBrowserUploadQueue } from "../sync/uploads/browser-upload-queue.ts";
import { createTheme } from "../ui/theme.ts";

export function createClient(options: ApiOptions = {}): Client {
  // Parts that use other parts receive the client, and are created after what they read at once.
  const clock = createClock();
  const { tabId, dispose: disposeTabId } = loadTabId(() => sessionStorage, globalThis.window ?? new EventTarget());
  const client = {
    clock,
    api: createApi({ clock, ...options }),
    sessionEnd: createEmitter(),
    cursors: createCursors(),
    loads: createLoadRecorder(),
    refetches: { awaitingLoad: new Set(), scheduled: new Map() },
    pendingMessageChanges: createPendingChanges(),
    pendingCommentChanges: createPendingChanges(),
    commentReads: { lastReadIds: new Map(), newestUnreadIds: new Map() },
    viewedProjectIds: new Set(),
    viewMemory: { waveformWidth: createStore(0), openFolders: new Map(), fileListScroll: new Map(), localFileIds: new Map(), localRecordings: new Map() },
    tabId,
    theme: createTheme(),
    processingProgress: createProgressStore(),
    presence: createPresenceStore(),
    drafts: { messages: createMessageDrafts(), comments: createCommentDrafts(), edits: createEdits() },
    undoableDeletions: createUndoableDeletions(),
  } as Mutable<Client>;
  client.queryClient = createQueryClient(client);
  client.uploads = createBrowserUploadQueue(client);
  client.outbox = createBrowserOutbox(client);
  client.statusChanges = createStatusChanges(client);
  client.audio = createLatePart(async () => (await import("../audio/browser-audio.ts")).createBrowserAudio(client.api));
  client.live = createLiveSubscriber(client);
  client.dispose = () => {
    client.live.stop();
    client.audio.dispose();
    client.outbox.close();
    client.uploads.close();
    client.statusChanges.closeUnlessOf(undefined);
    client.presence.clear();
    client.drafts.messages.dispose();
    client.drafts.comments.dispose();
    client.undoableDeletions.dispose();
    client.theme.dispose();
    disposeTabId();
    for (const timer of client.refetches.scheduled.values()) clearTimeout(timer);
    client.queryClient.clear();
  };
  watchSession(client);
  return client;
}

function createLatePart<T extends { dispose(): void }>(create: () => Promise<T>): LatePart<T> {
  let part: T | null = null;
  let loading: Promise<T> | null = null;
  return {
    load() {
      loading ??= create().then(
        (created) => (part = created),
        (error: unknown) => {
          loading = null;
          throw error;
        },
      );
      return loading;
    },
    get() {
      if (!part) throw new Error("A part of the client was used before it had loaded");
      return part;
    },
    dispose: () => void loading?.then((created) => created.dispose()),
  };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
