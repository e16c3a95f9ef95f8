/** Wire records of a team's delivery rules and of the check of a file against them, all of them extensions. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { id, line, timestamp, withDescription } from "./text.ts";

/** The formats that a rule can name. */
export const DELIVERY_FORMATS = ["wav", "aiff", "flac", "mp3", "aac", "alac", "opus", "vorbis"] as const;
/** The tokens of a name pattern: `{project}` is the project's name, the others stand for text of their kind. */
export const NAME_TOKENS = ["project", "title", "version", "date", "number"] as const;

const unique = z.check<unknown[]>((context) => {
  if (new Set(context.value).size < context.value.length) context.issues.push({ code: "custom", message: "must not repeat a value", input: context.value });
});
const listOf = <S extends z.ZodMiniType>(element: S) => z.array(element).check(z.maxLength(LIMITS.delivery_rule_values), unique);
/** Rules and measurements are compared and shown in tenths. */
const decibels = (minimum: number, maximum: number) => z.number().check(z.minimum(minimum), z.maximum(maximum), z.multipleOf(0.1));
const namePattern = line(LIMITS.name_pattern_characters).check(
  z.check<string>((context) => {
    const unknown = [...context.value.matchAll(/\{([^{}]*)\}/g)].find(([, token]) => !NAME_TOKENS.some((known) => known === token));
    const message = `must not contain ${unknown?.[0]}: the tokens are ${NAME_TOKENS.map((name) => `{${name}}`).join(" ")}`;
    if (unknown) context.issues.push({ code: "custom", message, input: context.value });
  }),
);
const any = "empty: any";

/** What is checked; a rule that is null or empty is not. */
export const deliveryRuleInput = {
  loudness: withDescription(
    z.nullable(z.object({ target: decibels(-70, 0), tolerance: decibels(0, 20) })),
    "integrated loudness in LUFS, and how far it may be off in LU",
  ),
  true_peak_max: withDescription(z.nullable(decibels(-30, 6)), "the highest true peak in dBTP"),
  sample_rates: withDescription(listOf(z.int().check(z.minimum(1_000), z.maximum(1_000_000))), `in Hz; ${any}`),
  bit_depths: withDescription(listOf(z.int().check(z.minimum(8), z.maximum(64))), any),
  channels: withDescription(listOf(z.int().check(z.minimum(1), z.maximum(64))), `numbers of channels; ${any}`),
  formats: withDescription(listOf(z.enum(DELIVERY_FORMATS)), any),
  name_pattern: withDescription(
    z.nullable(namePattern),
    `the file's name without its extension: ${NAME_TOKENS.map((name) => `{${name}}`).join(" ")}, * for any text, ? for one character`,
  ),
} as const;

export const deliveryRules = z.looseObject({
  object: z.literal("delivery_rules"),
  team_id: id,
  loudness: z.nullable(z.looseObject({ target: z.number(), tolerance: z.number() })),
  true_peak_max: z.nullable(z.number()),
  sample_rates: z.array(z.int()),
  bit_depths: z.array(z.int()),
  channels: z.array(z.int()),
  formats: z.array(z.string()),
  name_pattern: z.nullable(z.string()),
  /** Both null while nobody has set rules. */
  updated_at: z.nullable(timestamp),
  updated_by_account_id: z.nullable(id),
});

/** One rule, what it expects and what the file has, as people read them. `measured`: null if it is not measured. */
export const deliveryRuleResult = z.looseObject({
  rule: withDescription(z.string(), "loudness, true_peak, sample_rate, bit_depth, channels, format or name"),
  expected: z.string(),
  measured: z.nullable(z.string()),
  result: z.enum(["passed", "failed", "not_measured"]),
  /** Why it failed or is not measured; null if it passed. */
  reason: z.nullable(z.string()),
});

/** `not_measured`: no rule failed, but some could not be checked (yet). `no_rules`: the team has none. */
export const deliveryCheck = z.looseObject({
  object: z.literal("delivery_check"),
  file_id: id,
  version: z.int(),
  result: z.enum(["passed", "failed", "not_measured", "no_rules"]),
  /** True while the file is being analyzed, so that a check after the analysis may measure more. */
  pending: z.boolean(),
  checks: z.array(deliveryRuleResult),
});

export type DeliveryRules = z.infer<typeof deliveryRules>;
export type DeliveryRuleResult = z.infer<typeof deliveryRuleResult>;
export type DeliveryCheck = z.infer<typeof deliveryCheck>;
