/** Tables of metadata. */
import type { Generated } from "kysely";
import type { MetadataFieldType } from "../../../contract/metadata-records.ts";

export interface MetadataTables {
  metadata_templates: {
    id: Generated<number>;
    team_id: number;
    name: string;
    name_key: string;
    /** JSON array of kinds of files; null: all. */
    kinds: string | null;
    position: number;
    /** Increases with each change, also of a field. */
    revision: Generated<number>;
    created_by: number;
    created_at: number;
    deleted_at: Generated<number | null>;
  };
  metadata_fields: {
    id: Generated<number>;
    template_id: number;
    name: string;
    name_key: string;
    type: MetadataFieldType;
    /** JSON array of the options of a choice. */
    options: Generated<string>;
    help: Generated<string>;
    tag: string | null;
    position: number;
    deleted_at: Generated<number | null>;
  };
  /** `server/db/metadata-keys.ts` derives the columns after `value`. */
  metadata_values: {
    file_id: number;
    field_id: number;
    project_id: number;
    /** JSON. */
    value: string;
    /** What filters compare. */
    match_text: string;
    /** The order is by this number, then by `sort_text`: one of the two is the same for all values of a field. */
    sort_number: number;
    sort_text: string;
    /** The person who is the value. */
    person_id: number | null;
    updated_by: number;
    updated_at: number;
  };
}
