/** Conditions on metadata fields in the query of a listing. */
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import { METADATA_OPERATORS, metadataValue } from "./metadata-records.ts";
import { id } from "./text.ts";

/** `is`, `contains`: `value`. `one_of`: `values`. `range`: `min`, `max` or both, which are included. Which operators fit which type: `FIELD_OPERATORS`. */
export const metadataCondition = z.object({
  field_id: id,
  op: z.enum(METADATA_OPERATORS),
  value: z.optional(metadataValue),
  values: z.optional(z.array(metadataValue).check(z.minLength(1), z.maxLength(50))),
  min: z.optional(metadataValue),
  max: z.optional(metadataValue),
});
export type MetadataCondition = z.infer<typeof metadataCondition>;

const conditions = z.array(metadataCondition).check(z.minLength(1), z.maxLength(LIMITS.metadata_conditions));

const parseConditions = z.transform((value: string, context): MetadataCondition[] => {
  let json: unknown;
  try {
    json = JSON.parse(value);
  } catch {
    context.issues.push({ code: "custom", message: "must be JSON", input: value });
    return [];
  }
  const result = z.safeParse(conditions, json);
  if (result.success) return result.data;
  context.issues.push(...result.error.issues.map(({ path, message }) => ({ code: "custom" as const, message, input: value, path })));
  return [];
});

/** The conditions as JSON in one parameter. */
export const metadataFilter = z.pipe(z.string().check(z.maxLength(6_000)), parseConditions);
