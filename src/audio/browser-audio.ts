/** Creates the player and the recorder of a client; their code loads with the first view that plays or records, or after the first paint. */
import { ApiError } from "../api/api-error.ts";
import { getFileInfo } from "../api/files.ts";
import type { Api } from "../api/http.ts";
import type { MediaUrls } from "../api/token-media.ts";
import { randomId } from "../lib/random-id.ts";
import { createWakeLock } from "../lib/wake-lock.ts";
import { type EmbeddedTags, parseEmbeddedTags } from "./player/media-session.ts";
import { createPlayer } from "./player/player.ts";
import { connectQueueKeys } from "./player/queue-keys.ts";
import { createQueue } from "./player/queue.ts";
import { loadVoiceRate, loadVolume } from "./player/preferences.ts";
import type { RefetchedSource } from "./player/recovery.ts";
import type { Track } from "./player/track.ts";
import { getPreferredInput, openMicrophone } from "./recorder/microphone.ts";
import { createRecorder } from "./recorder/recorder.ts";
import { createRecordingStorage } from "./recorder/recording-storage.ts";

/** Milliseconds: frequent enough for a smooth meter. */
const TICK_MS = 50;

type FileInfo = Awaited<ReturnType<typeof getFileInfo>>;

export type BrowserAudio = ReturnType<typeof createBrowserAudio>;

/** `fetchInfo` returns the info of a file's newest version, which the page may have loaded already; `onRecovered` calls its listener after each outage. */
export function createBrowserAudio(
  api: Api,
  media: MediaUrls,
  fetchInfo: (fileId: number) => Promise<FileInfo>,
  onRecovered: (listener: () => void) => () => void,
) {
  const player = createPlayer(
    (isVideo) => (isVideo ? Object.assign(document.createElement("video"), { playsInline: true }) : new Audio()),
    (callback) => requestAnimationFrame(callback),
    {
      voiceRate: loadVoiceRate(),
      volume: loadVolume(),
      media,
      refetchSource: (track, failedAddress) => refetchSource(api, media, track, failedAddress),
      loadTags: async (track) => readTags(await (track.version === null ? fetchInfo(track.fileId) : getFileInfo(api, track.fileId, track.version))),
    },
  );
  const stopRecovery = onRecovered(player.recover);
  const queue = createQueue(player);
  const disconnectKeys = connectQueueKeys(queue);
  const storage = createRecordingStorage();
  const setWakeLock = createWakeLock();
  const recorder = createRecorder({
    open: openMicrophone,
    getPreferredInput,
    storage,
    getServiceUrl: () => `${api.serviceUrl()}/`,
    onActiveChange(on) {
      player.suspend(on);
      setWakeLock(on);
    },
    startTicking(callback) {
      const timer = setInterval(callback, TICK_MS);
      return () => clearInterval(timer);
    },
    schedule: (callback, ms) => void setTimeout(callback, ms),
    createId: randomId,
    clock: () => performance.now(),
    now: Date.now,
  });
  // Ending the recording delivers its last bytes before the page closes.
  const onPageHide = () => recorder.end("closed");
  const onBeforeUnload = (event: BeforeUnloadEvent) => recorder.hasUnpersisted() && event.preventDefault();
  addEventListener("pagehide", onPageHide);
  addEventListener("beforeunload", onBeforeUnload);
  return {
    player,
    queue,
    recorder,
    /** Ends playback and recording. */
    dispose() {
      recorder.end("closed");
      storage.close();
      disconnectKeys();
      stopRecovery();
      queue.dispose();
      player.dispose();
      removeEventListener("pagehide", onPageHide);
      removeEventListener("beforeunload", onBeforeUnload);
    },
  };
}

/** Returns the title, artist and album that the file itself names. */
const readTags = ({ file_info: info }: FileInfo): EmbeddedTags => (info.object === "audio_file_info" ? parseEmbeddedTags(info.annotations) : {});

/** Fetches a track's current URL from the service, because the URLs of some services expire, and finds another address for it if there is one. */
async function refetchSource(api: Api, media: MediaUrls, track: Track, failedAddress: string): Promise<RefetchedSource> {
  try {
    const src = await fetchSource(api, track);
    const address = await media.findAlternative(src, failedAddress).catch((error: unknown) => {
      // The service does respond, but does not let this page read the bytes.
      if (error instanceof ApiError && error.kind === "offline") return null;
      throw error;
    });
    return { src, hasNewAddress: address !== null };
  } catch (error) {
    if (!(error instanceof ApiError)) return "unreachable";
    if (error.kind === "too-large") return "too-large";
    return error.status === 404 || error.status === 403 ? "unavailable" : "unreachable";
  }
}

async function fetchSource(api: Api, track: Track): Promise<string> {
  const { common } = await getFileInfo(api, track.fileId, track.version);
  // A service that returns only the newest version has no URL for this one, so the known URL remains.
  if (track.version !== null && common["version"] !== track.version) return track.src;
  return track.isOriginal ? common.url : (common.compressed_file_url ?? common.url);
}
