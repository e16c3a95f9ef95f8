/** What processing measured of a version, for the check against delivery rules. */
import { splitExtension } from "../../../contract/file-order.ts";
import type { Row } from "../../db/schema.ts";
import { parseJson, type Probe } from "../files/stored-analysis.ts";
import type { Measurements } from "./delivery-check.ts";

export type AnalyzedVersion = Pick<Row<"file_versions">, "kind" | "transcoding_status" | "failure" | "probe" | "loudness">;

/** Containers that are named by themselves when they hold plain samples. */
const PCM_FORMATS: Readonly<Record<string, string>> = { wav: "wav", w64: "wav", aiff: "aiff" };

/** Returns one of `DELIVERY_FORMATS`, or what the engine calls a format that no rule can name. `encoding` is FFmpeg's name of the codec. */
export function deliveryFormat(encoding: string, container: string): string {
  if (encoding.startsWith("pcm_")) return PCM_FORMATS[container] ?? container;
  return encoding.startsWith("mp3") ? "mp3" : encoding;
}

export const isBeingAnalyzed = ({ transcoding_status }: AnalyzedVersion): boolean => transcoding_status === "waiting" || transcoding_status === "transcoding";

function missingReason(version: AnalyzedVersion): string {
  if (isBeingAnalyzed(version)) return "The file is still being analyzed.";
  if (version.transcoding_status === "failed") return `The file could not be analyzed. ${version.failure ?? ""}`.trim();
  if (version.kind !== "audio") return "Only audio files are measured.";
  return "The file is too short or too quiet to be measured.";
}

export function readMeasurements(version: AnalyzedVersion, fileName: string, projectName: string): Measurements {
  const probe = version.kind === "audio" ? parseJson<Probe>(version.probe) : null;
  const loudness = parseJson<{ integrated: number | null; truePeak: number | null }>(version.loudness);
  return {
    name: splitExtension(fileName)[0],
    project: projectName,
    format: probe?.audioEncoding ? deliveryFormat(probe.audioEncoding, probe.container ?? "") : null,
    sampleRate: probe?.sampleRate ?? null,
    bitDepth: probe?.bitsPerSample ?? null,
    channels: probe?.channels ?? null,
    loudness: loudness?.integrated ?? null,
    truePeak: loudness?.truePeak ?? null,
    missingReason: missingReason(version),
  };
}
