/** The composition root: creates everything that a client consists of, once. Tests create their own clients. */
import type { LoadedConnection } from "../api/connection.ts";
import { createApi } from "../api/http.ts";
import { createMediaUrls } from "../api/media.ts";
import { type Client, type ClientData, createViewMemory } from "../client/client.ts";
import { createTabLocks } from "../lib/locks.ts";
import { createServiceStorage } from "../lib/service-storage.ts";
import { createEmitter, createLatePart } from "../lib/store.ts";
import { createClock } from "../lib/time.ts";
import { createQueryClient } from "../queries/query-client.ts";
import { createQueryState } from "../queries/query-state.ts";
import { createRecovery } from "../queries/recovery.ts";
import { watchSession } from "../queries/session.ts";
import { createCommentDrafts } from "../sync/drafts/use-comment-draft.ts";
import { createEdits } from "../sync/drafts/use-editing.ts";
import { createMessageDrafts } from "../sync/drafts/use-message-draft.ts";
import { createLiveSubscriber } from "../sync/live/live-updates.ts";
import { createBrowserOutbox } from "../sync/outbox/browser-outbox.ts";
import { createOutboxDatabase } from "../sync/outbox/outbox-store.ts";
import { createPresenceStore } from "../sync/presence.ts";
import { createStatusChanges } from "../sync/statuses/status-changes.ts";
import { loadTabId } from "../sync/tab-id.ts";
import { createUndoableDeletions } from "../sync/undoable-deletions.ts";
import { createBrowserUploadQueue } from "../sync/uploads/browser-upload-queue.ts";
import { createTheme } from "../ui/theme.ts";

/** Each part receives the parts that it needs, which exist before it. */
export function createClient({ isForTab, ...options }: LoadedConnection = {}): Client {
  const clock = createClock();
  const api = createApi({ clock, ...options });
  const media = createMediaUrls(api, clock);
  const serviceStorage = createServiceStorage(api.storageName, isForTab);
  const queryClient = createQueryClient();
  const recovery = createRecovery({ api, queryClient });
  const data: ClientData = { api, media, clock, serviceStorage, queryClient, queryState: createQueryState(), recovery, sessionEnd: createEmitter() };
  // Query functions receive the data as `meta`.
  data.queryClient.setQueryDefaults([], { meta: { client: data } });
  watchSession(data);

  const { tabId, dispose: disposeTabId } = loadTabId(() => sessionStorage, globalThis.window ?? new EventTarget());
  const { openStore, changeLease, close: closeOutboxDatabase } = createOutboxDatabase();
  const tabLocks = createTabLocks(tabId, changeLease);
  const presence = createPresenceStore();
  const uploads = createBrowserUploadQueue(data, tabLocks);
  const outbox = createBrowserOutbox(data, { uploads, tabLocks, openStore });
  const statusChanges = createStatusChanges(tabId);
  const live = createLiveSubscriber(data, { presence, outbox, uploads });
  const audio = createLatePart(async () => {
    const [{ createBrowserAudio }, { fetchLoadedFileInfo }] = await Promise.all([import("../audio/browser-audio.ts"), import("../queries/files/use-file.ts")]);
    return createBrowserAudio(api, media, (fileId) => fetchLoadedFileInfo(data, fileId), recovery.onRecovered);
  });
  const drafts = { messages: createMessageDrafts(api.storageName), comments: createCommentDrafts(api.storageName), edits: createEdits() };
  const deviceRecords = createLatePart(async () =>
    (await import("../sync/device-records.ts")).createDeviceRecords(serviceStorage, createServiceStorage(api.storageName)),
  );
  const undoableDeletions = createUndoableDeletions(serviceStorage);
  const theme = createTheme();
  const viewMemory = createViewMemory();
  // Whoever signs in next in this tab does not hear what the previous account had chosen.
  data.sessionEnd.subscribe(() => audio.find()?.player.stop());

  function dispose() {
    live.stop();
    recovery.dispose();
    audio.dispose();
    outbox.close();
    uploads.close();
    // Leases are released by calls before it.
    closeOutboxDatabase();
    statusChanges.closeUnlessOf(undefined);
    presence.clear();
    drafts.messages.dispose();
    drafts.comments.dispose();
    undoableDeletions.dispose();
    deviceRecords.dispose();
    theme.dispose();
    media.dispose();
    disposeTabId();
    for (const timer of data.queryState.refetches.scheduled.values()) clearTimeout(timer);
    data.queryClient.clear();
  }
  return {
    ...data,
    live,
    presence,
    outbox,
    uploads,
    statusChanges,
    audio,
    drafts,
    undoableDeletions,
    deviceRecords,
    theme,
    viewMemory,
    dispose,
  };
}
