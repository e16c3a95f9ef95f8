/** Connects media analysis to the files domain: requests the missing steps and maps their results to records. */
import { join } from "node:path";
import type { TaggingModel } from "../../config.ts";
import { analyze, type MediaLimits } from "../../media/analyze.ts";
import { findAnnotationTexts } from "../../db/annotation-texts.ts";
import type { DocumentText } from "../../media/documents/document-text.ts";
import { type FailureCode, MediaFailure } from "../../media/failure.ts";
import type { Music } from "../../media/music/music.ts";
import { STEPS, type Probe as MediaProbe, type StepDone } from "../../media/types.ts";
import type { MediaSandbox } from "../../media/worker/sandbox.ts";
import type { ProcessingResult, VersionColumns } from "./processing-results.ts";
import type { AnalyzeUpload, Failure } from "./processing.ts";
import type { Probe, Tags } from "./stored-analysis.ts";

const AUDIO_TYPES: Record<string, string> = {
  wav: "audio/wav",
  w64: "audio/wav",
  aiff: "audio/aiff",
  flac: "audio/flac",
  mp3: "audio/mpeg",
  aac: "audio/aac",
  ogg: "audio/ogg",
  mp4: "audio/mp4",
  mov: "audio/mp4",
  webm: "audio/webm",
  matroska: "audio/x-matroska",
};
const VIDEO_TYPES: Record<string, string> = { mp4: "video/mp4", mov: "video/quicktime", webm: "video/webm", matroska: "video/x-matroska", ogg: "video/ogg" };

function mediaType({ kind, type }: MediaProbe): string {
  if (kind === "audio") return AUDIO_TYPES[type] ?? "application/octet-stream";
  if (kind === "video") return VIDEO_TYPES[type] ?? "application/octet-stream";
  if (kind === "image") return `image/${type === "jpg" ? "jpeg" : type}`;
  return type === "pdf" ? "application/pdf" : "application/octet-stream";
}

function toVersionFacts(probe: MediaProbe): VersionColumns {
  const { audio, video, image } = probe;
  const dimensions = video ?? image;
  const summary: Probe = {
    annotations: JSON.parse(probe.annotations) as Record<string, unknown>,
    audioEncoding: audio?.encoding ?? null,
    bitrate: audio?.bitrate ?? "",
    bitsPerSample: audio?.bitsPerSample ?? 0,
    duration: audio?.duration ?? video?.duration ?? 0,
    channels: audio?.channels ?? 0,
    samples: audio?.samples ?? 0,
    sampleRate: audio?.sampleRate ?? 0,
    container: probe.type,
    ...(probe.notes.length > 0 ? { notes: probe.notes.map(({ text }) => text) } : {}),
    ...(dimensions ? { width: dimensions.width, height: dimensions.height } : {}),
  };
  return { kind: probe.kind, media_type: mediaType(probe), duration: video?.duration ?? audio?.duration ?? null, probe: JSON.stringify(summary) };
}

/** Minimum probability of the second and third key, relative to the best one, to be listed. */
const MIN_KEY_STRENGTH = 0.1;
const MAX_KEYS = 3;
const MAX_TEMPOS = 2;

/** What the analysis is not sure of becomes candidates, unless it found nothing at all, as in noise. */
function toMusicTags({ tempo, key }: Music): Partial<Tags> {
  const isKeySure = key.name !== "";
  const likelyKeys = key.candidates.filter(({ strength }) => strength >= MIN_KEY_STRENGTH).slice(0, MAX_KEYS);
  const keys = likelyKeys.map(({ name }) => name);
  const bpmCandidates = tempo.bpm === 0 && tempo.confidence > 0 ? tempo.candidates.slice(0, MAX_TEMPOS).map(({ bpm }) => bpm) : [];
  return {
    bpm: tempo.bpm,
    bpmConfidence: tempo.confidence,
    keys: isKeySure ? keys : [],
    keyConfidence: key.confidence,
    // Replace those of an earlier analysis.
    keyCandidates: isKeySure || key.confidence === 0 ? [] : keys,
    bpmCandidates,
  };
}

/** Audio has its lyrics and notes in its tags. */
function toProbeResult(probe: MediaProbe): ProcessingResult {
  const facts = toVersionFacts(probe);
  if (probe.kind !== "audio") return { step: "probe", facts };
  return { step: "probe", facts, pages: findAnnotationTexts(facts.probe ?? null).map((found, index) => ({ ...found, number: index + 1 })) };
}

const toTextResult = ({ state, reason, unit, pageCount, isCut, pages }: DocumentText): ProcessingResult => ({
  step: "text",
  text: { state, reason, unit, page_count: pageCount, is_cut: isCut ? 1 : 0 },
  pages: pages.map((page) => ({ ...page, source: "document" })),
});

/** What a document may cause. Its upload does not fail for that, because it can be downloaded all the same. */
const TEXT_FAILURES: ReadonlySet<FailureCode> = new Set<FailureCode>(["out-of-memory", "too-long", "stalled", "crashed", "too-much-output", "damaged"]);
const UNREAD: DocumentText = { state: "failed", reason: "The text of this document could not be read.", unit: "part", pageCount: 0, isCut: false, pages: [] };

function toProcessingResult(completedStep: StepDone, folder: string): ProcessingResult {
  const { step } = completedStep;
  const outputPath = (file: string): string => join(folder, file);
  switch (completedStep.step) {
    case "probe":
      return toProbeResult(completedStep.value);
    case "text":
      return toTextResult(completedStep.value);
    case "peaks":
      return {
        step,
        facts: { wave: JSON.stringify(completedStep.value.wave), short_wave: JSON.stringify(completedStep.value.shortWave) },
        peaks: {
          channels: completedStep.value.channels,
          sampleRate: completedStep.value.sampleRate,
          levels: completedStep.value.levels.map(({ file, samplesPerPixel, pixels, bytes }) => ({
            path: outputPath(file),
            samplesPerPixel,
            length: pixels,
            bytes,
          })),
        },
      };
    case "loudness":
      return { step, facts: { loudness: JSON.stringify(completedStep.value) } };
    case "music": {
      return { step, tags: toMusicTags(completedStep.value) };
    }
    case "labels": {
      const { state, reason, genres, moods, instruments } = completedStep.value;
      return { step, tags: { genres, moods, instruments, model: { state, ...(reason ? { detail: reason } : {}) } } };
    }
    case "copy":
      return { step, compressed: completedStep.value ? { path: outputPath(completedStep.value.file), type: completedStep.value.mime } : null };
    case "pictures":
      return {
        step,
        thumbnail: completedStep.value.thumbnail ? outputPath(completedStep.value.thumbnail.file) : null,
        still: completedStep.value.stills ? outputPath(completedStep.value.stills.file) : null,
      };
  }
}

/** File names with an audio or video extension. */
const MEDIA_FILE_NAME = /\.(wav|wave|w64|aiff?|aifc|flac|mp3|m4a|aac|ogg|oga|opus|wma|caf|mp4|m4v|mov|mkv|webm|avi|mpe?g)$/i;

/** Fails a file that is named like audio or video but contains neither, so that its sender notices; other names pass as documents. */
function findMediaNameMismatch(name: string, probe: MediaProbe | undefined): Failure | null {
  if (probe?.kind !== "document" || !MEDIA_FILE_NAME.test(name)) return null;
  const text = probe.type === "unknown" ? "The format of this file was not recognized." : "This file isn't valid audio or video.";
  return { text, retry: false, aborted: false };
}

/** Raised memory limit for a tagging model of about a gigabyte. */
const LIMITS_WITH_MODEL: Partial<MediaLimits> = { rssBytes: 5 * 1024 * 1024 * 1024 };

export type Analyze = typeof analyze;

export interface UploadAnalyzerOptions {
  /** null: no tagging. */
  taggingModel: TaggingModel | null;
  sandbox: MediaSandbox | null;
  /** Overrides the defaults. */
  limits?: Partial<MediaLimits> | undefined;
  /** Replaces the analysis process (tests). */
  analyzeFile?: Analyze | undefined;
}

export const createUploadAnalyzer =
  ({ taggingModel, sandbox, limits = taggingModel ? LIMITS_WITH_MODEL : {}, analyzeFile = analyze }: UploadAnalyzerOptions): AnalyzeUpload =>
  async (path, folder, { name, completedSteps, videos, outputSpace, signal, onResult, onProgress }) => {
    let probe: MediaProbe | undefined;
    try {
      // Always requests the probe, because it is quick and later steps need its result.
      const steps = STEPS.filter((step) => step === "probe" || !completedSteps.includes(step));
      const results = await analyzeFile({
        input: path,
        outputs: folder,
        limits: { ...limits, outputBytes: outputSpace.bytes },
        sandbox,
        request: {
          steps,
          ...(videos === "later" ? { videos } : {}),
          ...(taggingModel ? { labels: { modelFolder: taggingModel.folder, model: taggingModel.name, allowRemoteModels: taggingModel.folder === null } } : {}),
        },
        signal,
        onStep(completedStep) {
          if (completedStep.step === "probe") probe = completedStep.value;
          onResult(toProcessingResult(completedStep, folder));
        },
        onProgress: ({ phase, share }) => onProgress(phase, share),
      });
      if (videos === "later" && results.probe?.video && steps.includes("copy") && results.copy === undefined) return "video";
      return findMediaNameMismatch(name, results.probe);
    } catch (error) {
      if (!(error instanceof MediaFailure)) throw error;
      if (probe?.kind === "document" && TEXT_FAILURES.has(error.code)) {
        onResult(toTextResult(UNREAD));
        return findMediaNameMismatch(name, probe);
      }
      if (error.code === "disk-full") return outputSpace.failure;
      return { text: error.message, retry: error.retry, aborted: error.code === "aborted" };
    }
  };
