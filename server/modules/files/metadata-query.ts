/** Filters and sorts a listing by metadata fields: conditions on the values of a file, and the page of files that have a value, in its order. */
import { type Expression, sql, type SqlBool } from "kysely";
import type { MetadataCondition } from "../../../contract/metadata-filter.ts";
import type { MetadataValue } from "../../../contract/metadata-records.ts";
import { FIELD_OPERATORS, findMetadataIssue } from "../../../contract/metadata-values.ts";
import { matchText } from "../../db/metadata-keys.ts";
import { invalid } from "../../lib/errors.ts";
import type { TeamField } from "./metadata-fields.ts";

/** A condition whose field and values were checked. */
export interface MetadataTest {
  field: TeamField;
  condition: MetadataCondition;
}

/** Throws a 400 for a condition that does not fit its field. */
export function toTests(fields: ReadonlyMap<number, TeamField>, conditions: readonly MetadataCondition[]): MetadataTest[] {
  return conditions.map((condition, index) => {
    const field = fields.get(condition.field_id);
    const path = `metadata.${index}`;
    if (!field) throw invalid(`${path}.field_id`, "must be a metadata field of the project's team");
    if (!FIELD_OPERATORS[field.type].includes(condition.op)) throw invalid(`${path}.op`, `does not fit a field of the type ${field.type}`);
    const check = (value: MetadataValue | undefined, name: string): void => {
      const issue = value === undefined ? "is required" : condition.op === "contains" ? findSearchIssue(value) : findMetadataIssue(field, value);
      if (issue) throw invalid(`${path}.${name}`, issue);
    };
    if (condition.op === "is" || condition.op === "contains") check(condition.value, "value");
    if (condition.op === "one_of") {
      if (!condition.values) throw invalid(`${path}.values`, "is required");
      condition.values.forEach((value) => check(value, "values"));
    }
    if (condition.op === "range") {
      if (condition.min === undefined && condition.max === undefined) throw invalid(path, "must have min or max");
      if (condition.min !== undefined) check(condition.min, "min");
      if (condition.max !== undefined) check(condition.max, "max");
    }
    return { field, condition };
  });
}

const findSearchIssue = (value: MetadataValue): string | null =>
  typeof value === "string" && value.trim() !== "" && value.length <= 200 ? null : "must be text";

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

function comparison({ field, condition: { op, value = "", values = [], min, max } }: MetadataTest): Expression<SqlBool> | null {
  const sortColumn = sql.ref(field.type === "number" ? "metadata_values.sort_number" : "metadata_values.sort_text");
  switch (op) {
    case "is":
      return field.type === "number"
        ? sql<SqlBool>`metadata_values.sort_number = ${value}`
        : sql<SqlBool>`metadata_values.match_text = ${matchText(field, typeof value === "string" ? value.trim() : value)}`;
    case "contains":
      return sql<SqlBool>`metadata_values.match_text like ${`%${escapeLike(matchText(field, value))}%`} escape '\\'`;
    case "one_of":
      return sql<SqlBool>`metadata_values.match_text in (${sql.join(values.map((one) => matchText(field, one)))})`;
    case "range": {
      const bounds = [
        ...(min === undefined ? [] : [sql<SqlBool>`${sortColumn} >= ${min}`]),
        ...(max === undefined ? [] : [sql<SqlBool>`${sortColumn} <= ${max}`]),
      ];
      return sql<SqlBool>`${sql.join(bounds, sql` and `)}`;
    }
    default:
      return null;
  }
}

const appliesTo = ({ kinds }: TeamField): Expression<SqlBool> => (kinds === null ? sql<SqlBool>`true` : sql<SqlBool>`files.kind in (${sql.join(kinds)})`);

/** The file has a value for the field, one that meets `test` if there is one. */
function hasValue(field: TeamField, test: Expression<SqlBool> | null): Expression<SqlBool> {
  return sql<SqlBool>`(${appliesTo(field)} and exists (select 1 from metadata_values
    where metadata_values.file_id = files.id and metadata_values.field_id = ${field.id}${test ? sql` and ${test}` : sql``}))`;
}

/** Folders and files without a value for the field. */
export const hasNoValue = (field: TeamField): Expression<SqlBool> => sql<SqlBool>`not ${hasValue(field, null)}`;

export const toConditions = (tests: readonly MetadataTest[]): Expression<SqlBool>[] =>
  tests.map((test) => (test.condition.op === "empty" ? hasNoValue(test.field) : hasValue(test.field, comparison(test))));

/** For use where `metadata_values` is joined. */
export const appliesToFile = appliesTo;
