/** Tables of the text that files contain. */
import type { Generated } from "kysely";
import type { PageSource } from "../../../contract/knowledge-records.ts";
import type { Flag } from "./flag.ts";

export interface DocumentTables {
  /** What became of the text of a version that is a document, and how many pages the document has. */
  document_texts: {
    version_id: number;
    state: "indexed" | "empty" | "encrypted" | "failed";
    /** Why it was not read, for people; "" otherwise. */
    reason: string;
    unit: "page" | "part";
    page_count: number;
    /** 1 if a limit left out the end. */
    is_cut: Flag;
  };
  /** The pages of documents, and the lyrics and notes in the tags of audio. A later page has a lower id, because searches list the highest id first. */
  document_pages: {
    id: Generated<number>;
    version_id: number;
    file_id: number;
    project_id: number;
    number: number;
    source: PageSource;
    text: string;
    created_by: number;
    created_at: number;
  };
}
