/** Remembers the project of each record, so that a search skips records of projects that its caller does not see without reading their rows. */
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../db/database.ts";
import type { IndexedKind } from "../../db/search-index.ts";
import type { Clock } from "../../lib/clock.ts";
import { runForService } from "../../lib/current-caller.ts";

/** The kinds of records that belong to a project, and never to another one later. */
export type KindInProject = Exclude<IndexedKind, "project" | "account">;

/** Selects `id` and `project_id` of a kind's records. */
const RECORDS: Record<KindInProject, RawBuilder<unknown>> = {
  message: sql`select id, project_id from messages`,
  comment: sql`select id, project_id from comments`,
  file: sql`select id, project_id from files`,
  task: sql`select tasks.id, files.project_id from tasks join files on files.id = tasks.file_id`,
  document: sql`select id, project_id from document_pages`,
  playlist: sql`select id, project_id from playlists`,
};

/** Records per statement. */
const BATCH_SIZE = 20_000;
/** Records with higher ids are not remembered, which bounds the memory: 4 bytes for each record. */
const MAX_ID = 2 ** 24;

/** While somebody types, each search skips the same ids. Records created meanwhile are not among them, so that they are checked by their rows. */
const REUSE_MS = 10_000;
/** Maximum number of results to reuse of a kind: together they have as many bytes for each record as its project takes. */
const MAX_REUSED = 4;

interface KnownProjects {
  /** The project of the record with the id `index + 1`; 0 if unknown. */
  projects: Uint32Array;
  lastId: number;
  lastProjectId: number;
  /** More than one batch is missing, as for the first search of a process. */
  isLoading: boolean;
  /** Results by the projects, the oldest first. */
  reusable: Map<string, { bytes: Uint8Array; until: number }>;
}

const createEmpty = (): KnownProjects => ({ projects: new Uint32Array(1_024), lastId: 0, lastProjectId: 0, isLoading: false, reusable: new Map() });

interface Deps {
  database: Pick<Database, "engine" | "backgroundRead">;
  clock: Pick<Clock, "now">;
}

export function createRecordProjects({ database, clock }: Deps, batchSize = BATCH_SIZE) {
  const known = new Map<KindInProject, KnownProjects>();
  const toList = sql.raw(database.engine === "postgres" ? "json_agg" : "json_group_array");

  /** Loads the next records; returns whether there may be more. Two calls at a time load the same ones. */
  async function loadBatch(kind: KindInProject, state: KnownProjects): Promise<boolean> {
    const { rows } = await sql<{ ids: string | number[]; projects: string | number[]; last: number | null }>`
      select ${toList}(id) as ids, ${toList}(project_id) as projects, max(id) as last
      from (select * from (${RECORDS[kind]}) as records where id > ${state.lastId} and id <= ${MAX_ID} order by id limit ${batchSize}) as batch`.execute(
      database.backgroundRead,
    );
    const batch = rows[0];
    if (!batch || batch.last === null) return false;
    if (batch.last > state.projects.length) state.projects = enlarge(state.projects, batch.last);
    const [ids, projects] = [parseList(batch.ids), parseList(batch.projects)];
    for (const [index, id] of ids.entries()) {
      state.projects[id - 1] = projects[index]!;
      state.lastProjectId = Math.max(state.lastProjectId, projects[index]!);
    }
    state.lastId = Math.max(state.lastId, batch.last);
    return ids.length === batchSize;
  }

  async function loadRest(kind: KindInProject, state: KnownProjects): Promise<void> {
    state.isLoading = true;
    try {
      while (await loadBatch(kind, state));
    } catch {
      // The next search goes on.
    } finally {
      state.isLoading = false;
    }
  }

  /** `earlier` has the bytes of the records known before, which stay the same. */
  function markIds({ projects, lastId, lastProjectId }: KnownProjects, projectIds: readonly number[], earlier: Uint8Array): Uint8Array {
    const isElsewhere = new Uint8Array(lastProjectId + 1).fill(1);
    for (const id of [0, ...projectIds]) isElsewhere[id] = 0;
    const bytes = new Uint8Array(lastId);
    bytes.set(earlier);
    for (let index = earlier.length; index < lastId; index += 1) bytes[index] = isElsewhere[projects[index]!]!;
    return bytes;
  }

  return {
    /**
     * Returns a byte for each id from 1 on: 1 if the record is in none of these projects. Records without a byte, or with 0, may be in one of them. Returns
     * null while there are many to load, which takes longer than a search may.
     */
    async findIdsToSkip(kind: KindInProject, projectIds: readonly number[]): Promise<Uint8Array | null> {
      const state = known.get(kind) ?? createEmpty();
      known.set(kind, state);
      const { reusable } = state;
      const key = projectIds.join(" ");
      const last = reusable.get(key);
      if (last && clock.now() < last.until) return last.bytes;
      if (!state.isLoading && (await loadBatch(kind, state)) && !state.isLoading) void runForService(() => loadRest(kind, state));
      if (state.isLoading) return null;
      const bytes = markIds(state, projectIds, last?.bytes ?? new Uint8Array());
      reusable.delete(key);
      reusable.set(key, { bytes, until: clock.now() + REUSE_MS });
      for (const oldest of reusable.keys()) if (reusable.size > MAX_REUSED) reusable.delete(oldest);
      return bytes;
    },
  };
}

/** SQLite returns JSON as text. */
const parseList = (list: string | number[]): number[] => (typeof list === "string" ? (JSON.parse(list) as number[]) : list);

function enlarge(projects: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.min(MAX_ID, Math.ceil(length * 1.5)));
  larger.set(projects);
  return larger;
}
