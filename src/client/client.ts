/** Everything that a client consists of, and the context that hands it to the components; `src/app/create-client.ts` creates it. */
import type { QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import type { Api } from "../api/http.ts";
import type { MediaUrls } from "../api/token-media.ts";
import type { BrowserAudio } from "../audio/browser-audio.ts";
import type { ServiceStorage } from "../lib/service-storage.ts";
import { createStore, type Emitter, type LatePart } from "../lib/store.ts";
import type { Clock } from "../lib/time.ts";
import type { QueryState } from "../queries/query-state.ts";
import type { Recovery } from "../queries/recovery.ts";
import type { SignOutReason } from "../queries/session.ts";
import type { DeviceRecords } from "../sync/device-records.ts";
import type { CommentDrafts } from "../sync/drafts/use-comment-draft.ts";
import type { Edits } from "../sync/drafts/use-editing.ts";
import type { MessageDrafts } from "../sync/drafts/use-message-draft.ts";
import type { Subscriber } from "../sync/live/subscriber.ts";
import type { Outbox } from "../sync/outbox/create-outbox.ts";
import type { Voice } from "../sync/outbox/outbox-types.ts";
import type { PresenceStore } from "../sync/presence.ts";
import type { StatusChanges } from "../sync/statuses/status-changes.ts";
import type { UndoableDeletions } from "../sync/undoable-deletions.ts";
import type { UploadQueue } from "../sync/uploads/upload-queue.ts";
import type { Theme } from "../ui/theme.ts";

export type ViewMemory = ReturnType<typeof createViewMemory>;

/** What views remember between visits, until the page closes. */
export const createViewMemory = () => ({
  /** The last width of the waveform or its skeleton in CSS pixels, as the initial width of the next waveform; 0 until one was measured. */
  waveformWidth: createStore(0),
  /** Expanded folders by project, so that the tree looks the same on return from a file. */
  openFolders: new Map<number, ReadonlySet<number>>(),
  /** Scroll position in pixels and focused entry of each history entry of the files view, so that going back restores them. */
  fileListScroll: new Map<string, { top: number; current: number | null }>(),
  /** File ids for recordings that exist only in this page, by recording id; negative, because no stored file has a negative id. */
  localFileIds: new Map<string, number>(),
  /** Duration and waveform of this page's own recordings by file id, shown until the service has processed the file. */
  localRecordings: new Map<number, Voice>(),
});

/** The access to the service and what is cached of it: all that query functions and cache updates need. */
export interface ClientData {
  /** The service and the account for which requests are made. */
  readonly api: Api;
  /** Addresses at which elements and downloads get the bytes of a record's URL. */
  readonly media: MediaUrls;
  /** The service's clock, so that new messages get today's date even if the browser's clock is off by days. */
  readonly clock: Clock;
  /** Small values that the browser stores for the service. */
  readonly serviceStorage: ServiceStorage;
  readonly queryClient: QueryClient;
  readonly queryState: QueryState;
  /** Repeats what could not be loaded. */
  readonly recovery: Recovery;
  /** Emits why the session of the signed-in account has ended. */
  readonly sessionEnd: Emitter<SignOutReason>;
}

export interface Client extends ClientData {
  readonly live: Subscriber;
  readonly presence: PresenceStore;
  readonly outbox: Outbox;
  readonly uploads: UploadQueue;
  readonly statusChanges: StatusChanges;
  /** Player and recorder. */
  readonly audio: LatePart<BrowserAudio>;
  /** Unsent text, and edits that are not saved. */
  readonly drafts: { messages: MessageDrafts; comments: CommentDrafts; edits: Edits };
  readonly undoableDeletions: UndoableDeletions;
  /** What this browser remembers of a service that lists nothing. */
  readonly deviceRecords: LatePart<DeviceRecords>;
  readonly theme: Theme;
  readonly viewMemory: ViewMemory;
  /** Ends all timers, listeners and connections. */
  dispose(): void;
}

export const ClientContext = createContext<Client | null>(null);

export function useClient(): Client {
  const client = useContext(ClientContext);
  if (!client) throw new Error("A component was rendered outside of a client");
  return client;
}

/** Returns the service's time at this render, in epoch milliseconds. */
export const useServiceTime = (): number => useClient().clock.now();
