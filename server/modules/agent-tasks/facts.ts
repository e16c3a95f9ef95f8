/** What a run knows of its file, and the texts that it makes of it. */
import { RULE_PLACEHOLDERS, type RulePlaceholder } from "../../../contract/agent-task-records.ts";
import type { DeliveryCheck } from "../../../contract/delivery-records.ts";
import type { Actor } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { isBeingAnalyzed, readMeasurements } from "../delivery-rules/measurements.ts";
import { formatDecibels } from "../delivery-rules/delivery-check.ts";
import { loadAuthorizedFile } from "../files/repository.ts";

const PLACEHOLDER = /\{(\w+)\}/g;
/** Those that are known only after the analysis of the file. */
const MEASURED: ReadonlySet<string> = new Set(["loudness", "true_peak", "duration", "sample_rate", "bit_depth", "channels", "format", "delivery"]);

const placeholdersIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
/** Returns the first placeholder that does not exist. */
export const findUnknownPlaceholder = (text: string): string | null =>
  placeholdersIn(text).find((name) => !RULE_PLACEHOLDERS.some((known) => known === name)) ?? null;
export const needsAnalysis = (text: string): boolean => placeholdersIn(text).some((name) => MEASURED.has(name));
export const needsDelivery = (text: string): boolean => placeholdersIn(text).includes("delivery");

export type Facts = Partial<Record<RulePlaceholder, string>>;
/** Replaces placeholders once: those in a file's name stay as they are. */
export const renderText = (text: string, facts: Facts): string =>
  text.replaceAll(PLACEHOLDER, (whole, name: string) =>
    RULE_PLACEHOLDERS.some((known) => known === name) ? (facts[name as RulePlaceholder] ?? "unknown") : whole,
  );

export interface FileFacts {
  file: Row<"files">;
  isPending: boolean;
  facts: Facts;
}

const twoDigits = (value: number): string => String(value).padStart(2, "0");
const formatDuration = (seconds: number): string => `${Math.floor(seconds / 60)}:${twoDigits(Math.floor(seconds % 60))}`;
const formatIf = <T>(value: T | null, format: (value: T) => string): string | undefined => (value === null ? undefined : format(value));

/** Throws a 404 if the actor does not see the file. */
export async function loadFileFacts(db: Db, actor: Actor, fileId: number, publicUrl: string): Promise<FileFacts> {
  const file = await loadAuthorizedFile(db, actor, "file.read", fileId);
  const version = await db
    .selectFrom("file_versions")
    .select(["number", "kind", "transcoding_status", "failure", "probe", "loudness", "duration"])
    .where("id", "=", file.version_id ?? 0)
    .executeTakeFirst();
  const { name } = await db.selectFrom("projects").select("name").where("id", "=", file.project_id).executeTakeFirstOrThrow();
  const status = file.status_id === null ? undefined : await db.selectFrom("file_statuses").select("title").where("id", "=", file.status_id).executeTakeFirst();
  const measured = version && readMeasurements(version, file.name, name);
  const facts: Facts = { file: file.name, project: name, link: `${publicUrl}/files/${file.id}`, status: status?.title ?? "no status" };
  const optional: Partial<Record<RulePlaceholder, string | undefined>> = measured
    ? {
        version: String(version.number),
        loudness: formatIf(measured.loudness, (value) => `${formatDecibels(value)} LUFS`),
        true_peak: formatIf(measured.truePeak, (value) => `${formatDecibels(value)} dBTP`),
        duration: formatIf(version.duration, formatDuration),
        sample_rate: formatIf(measured.sampleRate, (value) => `${value / 1_000} kHz`),
        bit_depth: formatIf(measured.bitDepth, (value) => (value === 0 ? "no bit depth" : `${value} bit`)),
        channels: formatIf(measured.channels, (value) => (value === 1 ? "mono" : value === 2 ? "stereo" : `${value} channels`)),
        format: formatIf(measured.format, (value) => value.toUpperCase()),
      }
    : {};
  for (const [key, value] of Object.entries(optional)) if (value !== undefined) facts[key as RulePlaceholder] = value;
  return { file, isPending: version !== undefined && isBeingAnalyzed(version), facts };
}

const RESULTS = { passed: "passed", failed: "failed", not_measured: "could not check everything", no_rules: "the team has no delivery rules" } as const;
const MARKS = { passed: "\u2713", failed: "\u2717", not_measured: "?" } as const;
const LABELS: Readonly<Record<string, string>> = {
  loudness: "Loudness",
  true_peak: "True peak",
  sample_rate: "Sample rate",
  bit_depth: "Bit depth",
  channels: "Channels",
  format: "Format",
  name: "Name",
};

/** The result of a check in one line, for `{delivery}`. */
export function summarizeDelivery({ result, checks }: DeliveryCheck): string {
  const failed = checks.filter((check) => check.result === "failed").map(({ rule, reason }) => `${(LABELS[rule] ?? rule).toLowerCase()}: ${reason}`);
  return failed.length === 0 ? RESULTS[result] : `failed (${failed.join("; ")})`;
}

/** The result of a check with a line for each rule. */
export function describeDelivery(fileName: string, { version, result, checks }: DeliveryCheck): string {
  const lines = checks.map(({ rule, expected, measured, result: outcome, reason }) => {
    const found = measured === null ? "" : ` ${measured}`;
    const why = outcome === "passed" ? "" : `: ${reason ?? ""} (expected ${expected})`;
    return `${MARKS[outcome]} ${LABELS[rule] ?? rule}${found}${why}`;
  });
  return [`Delivery check of ${fileName}, version ${version}: ${RESULTS[result]}`, ...lines].join("\n");
}
