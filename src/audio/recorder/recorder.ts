/** Implements the only recorder of a client, outside React: stores a recording while it runs, and keeps it until it is sent or discarded. */
import { createEmitter } from "../../lib/store.ts";
import { createLevels, type Levels } from "./levels.ts";
import { MicrophoneError, type Microphone } from "./microphone.ts";
import type { RecordingMetadata, RecordingStorage } from "./recording-storage.ts";
import { IDLE, recordingReducer, type EndReason, type RecordingEvent, type RecordingChat, type Recording } from "./recording.ts";
import { createVoiceDrafts, type VoiceDraft } from "./voice-drafts.ts";

export interface RecorderDeps {
  open(inputId: string | null): Promise<Microphone>;
  /** Returns the input that was chosen last. */
  getPreferredInput(): string | null;
  storage: RecordingStorage;
  getServiceUrl(): string;
  /** Called with true before a recording starts and with false after it ended. */
  onActiveChange(on: boolean): void;
  /** Calls `callback` repeatedly. Returns a function that stops it. */
  startTicking(callback: () => void): () => void;
  schedule(callback: () => void, ms: number): void;
  createId(): string;
  /** Monotonic milliseconds. */
  clock(): number;
  now(): number;
}

/** If a stopped recorder does not finish in time, the session ends with the chunks received so far. */
const END_TIMEOUT_MS = 3_000;

interface RecordingSession {
  metadata: RecordingMetadata;
  microphone: Microphone;
  levels: Levels;
  chunks: Blob[];
  startedAtMs: number;
  /** False once the browser failed to store a part of it. */
  isPersisted: boolean;
  /** Time on `clock`; null while recording. */
  endedAtMs: number | null;
  /** True if a new recording replaces this one, which is then removed. */
  isRestarting: boolean;
  isChatClosed: boolean;
  stopTicking(): void;
}

export type Recorder = ReturnType<typeof createRecorder>;

export function createRecorder(deps: RecorderDeps) {
  let state = IDLE;
  let activeSession: RecordingSession | null = null;
  /** Changes with each start and cancel, so that a start that was canceled while the microphone opened does not record. */
  let pressCount = 0;
  const { emit: notify, subscribe } = createEmitter();
  const drafts = createVoiceDrafts(deps, notify);

  function dispatch(event: RecordingEvent): void {
    const before = state;
    state = recordingReducer(state, event);
    if (state === before) return;
    if (state.phase === "ending" && before.phase === "recording" && activeSession) {
      const endingSession = activeSession;
      endingSession.endedAtMs ??= deps.clock();
      deps.schedule(() => void finishSession(endingSession), END_TIMEOUT_MS);
      endingSession.microphone.stop();
    }
    if (state.phase === "idle" && before.phase !== "idle") deps.onActiveChange(false);
    notify();
  }

  async function start(chat: RecordingChat): Promise<void> {
    if (state.phase !== "idle") return;
    pressCount += 1;
    const currentPress = pressCount;
    drafts.openChat(chat);
    deps.onActiveChange(true);
    dispatch({ type: "requested", chat });
    let microphone: Microphone;
    try {
      microphone = await deps.open(deps.getPreferredInput());
    } catch (error) {
      if (currentPress === pressCount) dispatch({ type: "failed", error: error instanceof MicrophoneError ? error.code : "failed" });
      return;
    }
    // The start was canceled meanwhile.
    if (currentPress !== pressCount) return microphone.close();
    const { device, input, isFallbackInput, type } = microphone;
    const id = deps.createId();
    const metadata: RecordingMetadata = { id, service: deps.getServiceUrl(), ...chat, type, startedAt: deps.now(), seconds: 0, wave: [], discarded: false };
    const newSession: RecordingSession = {
      metadata,
      microphone,
      levels: createLevels(),
      chunks: [],
      isPersisted: true,
      startedAtMs: deps.clock(),
      endedAtMs: null,
      isRestarting: false,
      isChatClosed: false,
      stopTicking: deps.startTicking(() => tick(newSession)),
    };
    activeSession = newSession;
    drafts.acquireLock(id);
    dispatch({ type: "opened", device, input, isFallbackInput });
    try {
      microphone.record({
        chunk: (bytes) => addChunk(newSession, bytes),
        muted: (muted) => activeSession === newSession && dispatch({ type: "muted", muted }),
        lost(reason) {
          if (activeSession !== newSession) return;
          newSession.endedAtMs ??= deps.clock();
          dispatch({ type: "end", reason });
        },
        ended: () => void finishSession(newSession),
      });
    } catch {
      dispatch({ type: "end", reason: "broken" });
      await finishSession(newSession);
    }
  }

  const elapsedSeconds = ({ startedAtMs, endedAtMs }: RecordingSession) => ((endedAtMs ?? deps.clock()) - startedAtMs) / 1_000;

  function tick(session: RecordingSession): void {
    const seconds = elapsedSeconds(session);
    const level = session.microphone.level();
    session.levels.add(seconds, level ?? 0);
    dispatch({ type: "tick", seconds, level });
  }

  function addChunk(session: RecordingSession, bytes: Blob): void {
    if (activeSession !== session) return;
    session.chunks.push(bytes);
    session.metadata = { ...session.metadata, seconds: elapsedSeconds(session), wave: session.levels.wave() };
    void persist(session, session.metadata);
  }

  async function persist(session: RecordingSession, metadata: RecordingMetadata): Promise<void> {
    session.isPersisted = await drafts.persist(metadata, session.chunks);
    if (!session.isPersisted && activeSession === session) dispatch({ type: "storageFailed" });
  }

  async function finishSession(session: RecordingSession): Promise<void> {
    if (activeSession !== session) return;
    activeSession = null;
    session.stopTicking();
    session.microphone.close();
    const seconds = elapsedSeconds(session);
    const canceled = state.endReason === "canceled";
    const metadata = { ...session.metadata, seconds, wave: session.levels.wave(), discarded: canceled };
    const draft: VoiceDraft = { metadata, bytes: new Blob(session.chunks, { type: metadata.type }), isRecovered: false, isPersisted: session.isPersisted };
    // A restart is not an end by the user, so it reports 0 seconds, which leaves no outcome.
    dispatch({ type: "ended", seconds: session.isRestarting ? 0 : seconds, id: metadata.id });
    // Remove a recording that was restarted, too short or empty.
    if (session.isRestarting || state.outcome === null || state.outcome.reason === "short" || draft.bytes.size === 0) drafts.removeDraft(metadata.id);
    else {
      void persist(session, metadata);
      if (canceled) drafts.scheduleRemoval(draft);
      else drafts.add(draft);
    }
    if (session.isRestarting && !session.isChatClosed) await start({ accountId: metadata.accountId, projectId: metadata.projectId });
  }

  function end(reason: EndReason): void {
    if (state.phase === "requesting") pressCount += 1;
    // Do not restart in a closed chat.
    if (reason === "closed" && activeSession) activeSession.isChatClosed = true;
    dispatch({ type: "end", reason });
  }

  return {
    state: (): Recording => state,
    /** Returns the drafts, oldest first; the same array until something changes. */
    drafts: drafts.visible,
    discarded: drafts.discarded,
    /** True if closing the page would lose a recording. */
    hasUnpersisted: () => (state.phase !== "idle" && !state.isPersisted) || drafts.hasUnpersisted(),
    /** Returns the latest levels, newest last. */
    recentLevels: (count: number): number[] => activeSession?.levels.recent(count) ?? [],
    subscribe,
    /** Requests the microphone and starts recording. */
    start: (chat: RecordingChat) => void start(chat),
    /** Ends the recording or the microphone request; the recording is kept unless the reason is `canceled`. */
    end,
    /** Restarts with a newly chosen input and returns true if nothing was audible yet; otherwise the recording continues. */
    restart(): boolean {
      if (!activeSession || state.phase !== "recording" || state.lastSoundAt !== null) return false;
      activeSession.isRestarting = true;
      end("canceled");
      return true;
    },
    /** Clears the error or outcome after it was read. */
    dismiss: () => dispatch({ type: "dismiss" }),
    /** Opens a chat and claims its drafts. */
    openChat: drafts.openChat,
    /** Closes a chat: ends its recording and releases its drafts to the tab that opens it next. */
    closeChat(chat: RecordingChat) {
      if (state.chat?.accountId === chat.accountId && state.chat.projectId === chat.projectId) end("closed");
      drafts.closeChat();
    },
    discard: drafts.discard,
    restore() {
      drafts.restore();
      dispatch({ type: "dismiss" });
    },
    handOver(id: string, persisted: Promise<boolean>) {
      dispatch({ type: "dismiss" });
      return drafts.handOver(id, persisted);
    },
    undoSend: drafts.undoSend,
    /** Removes a draft after it reached the service. */
    remove: drafts.removeDraft,
  };
}
