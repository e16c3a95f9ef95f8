/** Where a result of the search is opened. */
import type { SearchResult } from "../../../contract/search-records.ts";

/** Returns the path of the page that shows the result. `query`: what a document highlights. */
export function pathOfResult({ kind, id, project, file, page }: SearchResult, query = ""): string {
  switch (kind) {
    case "project":
      return `/projects/${id}/chat`;
    case "person":
      return `/settings/members?person=${id}`;
    case "playlist":
      return `/playlists/${id}`;
    case "message":
      return `/projects/${project?.id}/chat/${id}`;
    case "comment":
      return `/files/${file?.id}?comment=${id}`;
    case "document":
      return `/files/${file?.id}?${new URLSearchParams({ page: String(page ?? 1), find: query }).toString()}`;
    case "file":
    case "task":
      return file?.kind === "folder" ? `/projects/${project?.id}/files/${file.id}` : `/files/${file?.id}`;
  }
}
