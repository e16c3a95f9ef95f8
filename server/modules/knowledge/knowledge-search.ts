/** Searches the text of files that the caller sees. */
import type { KnowledgeResult } from "../../../contract/knowledge-records.ts";
import { pageLabel } from "../../../contract/knowledge-records.ts";
import { findHits } from "../../../contract/search-tokens.ts";
import { type Actor, loadAuthorizedProject, loadAuthorizedTeam, visibleProjects } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { invalid } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { loadAuthorizedFile, loadVersion } from "../files/repository.ts";
import { loadPages } from "../search/document-search.ts";
import { excerptAround } from "../search/excerpt.ts";
import type { Search } from "../search/search.ts";

export interface KnowledgeQuery {
  query: string;
  teamId: number | null;
  projectId: number | null;
  fileId: number | null;
  /** The number of a version of the file; null: the current one. */
  version: number | null;
  before: number | null;
  limit: number;
}
/** A page that was found, with its text. */
export interface Passage {
  file: { id: number; name: string };
  project: { id: number; name: string };
  page: number;
  pageLabel: string;
  text: string;
}

export function createKnowledgeSearch({ database }: ModuleDeps, { documents }: Search) {
  /** Returns the projects to look in; null for all that the actor sees. Throws a 404 for what the actor does not see. */
  async function loadProjectIds(
    actor: Actor,
    { teamId, projectId, fileId }: Pick<KnowledgeQuery, "teamId" | "projectId" | "fileId">,
  ): Promise<number[] | null> {
    const db = database.read;
    const ids: number[] = [];
    if (projectId !== null) ids.push((await loadAuthorizedProject(db, actor, "project.read", projectId)).id);
    if (fileId !== null) {
      const file = await loadAuthorizedFile(db, actor, "file.read", fileId);
      if (projectId !== null && file.project_id !== projectId) return [];
      ids.splice(0, ids.length, file.project_id);
    }
    if (teamId === null) return ids.length === 0 ? null : ids;
    await loadAuthorizedTeam(db, actor, "team.read", teamId);
    const ofTeam = (await visibleProjects(db, actor).select("projects.id").where("projects.team_id", "=", teamId).execute()).map(({ id }) => id);
    return ids.length === 0 ? ofTeam : ids.filter((id) => ofTeam.includes(id));
  }

  /** Returns the id of an earlier version, or null for the current one, which the index has. */
  async function loadEarlierVersion(actor: Actor, { fileId, version }: Pick<KnowledgeQuery, "fileId" | "version">): Promise<number | null> {
    if (version === null) return null;
    if (fileId === null) throw invalid("version", "needs file_id");
    const file = await loadAuthorizedFile(database.read, actor, "file.read", fileId);
    const { id } = await loadVersion(database.read, file, version);
    return id === file.version_id ? null : id;
  }

  return {
    async search(actor: Actor, input: KnowledgeQuery): Promise<{ results: KnowledgeResult[]; next: number | null }> {
      actor.checkedRules.add("file.read");
      const projectIds = await loadProjectIds(actor, input);
      const versionId = await loadEarlierVersion(actor, input);
      const isElsewhere = projectIds?.length === 0;
      const { ids, next } = isElsewhere ? { ids: [], next: null } : await documents.search(actor, { ...input, projectIds, versionId });
      const rows = await loadPages(database.read, ids);
      const results = rows.map((row): KnowledgeResult => {
        const excerpt = excerptAround(row.text, input.query, row.text.length);
        return {
          object: "knowledge_result",
          file: { id: row.file_id, name: row.file_name, kind: row.kind, version: row.version },
          project: { id: row.project_id, name: row.project_name },
          source: row.source,
          page: row.number,
          page_label: pageLabel(row.source, row.unit ?? "part", row.number),
          excerpt,
          highlights: findHits(excerpt, input.query),
          time: iso(row.created_at),
        };
      });
      return { results, next };
    },

    /** Returns the pages of a project that say most about a question, best first, with their whole text. */
    async findPassages(actor: Actor, question: string, projectId: number, limit: number): Promise<Passage[]> {
      await loadAuthorizedProject(database.read, actor, "project.read", projectId);
      const ids = await documents.findBest(actor, { query: question, projectIds: [projectId], fileId: null, limit });
      return (await loadPages(database.read, ids)).map((row) => ({
        file: { id: row.file_id, name: row.file_name },
        project: { id: row.project_id, name: row.project_name },
        page: row.number,
        pageLabel: pageLabel(row.source, row.unit ?? "part", row.number),
        text: row.text.replaceAll("\u00AD", ""),
      }));
    },
  };
}

export type KnowledgeSearch = ReturnType<typeof createKnowledgeSearch>;
