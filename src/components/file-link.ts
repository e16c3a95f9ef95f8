/** The addresses of files: a file opens on its page, or beside a chat if the window is wide enough. */
import { createContext, useContext } from "react";
import type { To } from "react-router";

export interface FileLinkTarget {
  /** The newest version if undefined. */
  version?: number | undefined;
  commentId?: number | undefined;
}

/** The search parameters that name the file beside a chat and select what it shows. */
const FILE_PARAM = "file";
const VIEW_PARAMS = ["v", "comment", "comments"];

function setTarget(params: URLSearchParams, { version, commentId }: FileLinkTarget): URLSearchParams {
  if (version !== undefined) params.set("v", String(version));
  if (commentId !== undefined) params.set("comment", String(commentId));
  return params;
}

/** Returns the path of a file's page. */
export function filePath(fileId: number, target: FileLinkTarget = {}): string {
  const search = setTarget(new URLSearchParams(), target).toString();
  return `/files/${fileId}${search && `?${search}`}`;
}

/** Returns the id of the file beside the chat, or null. */
export function parsePaneFile(search: URLSearchParams): number | null {
  const id = Number(search.get(FILE_PARAM));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** Returns the path of the page that shows the same as the pane, or null without a pane. */
export function pagePathOf(search: URLSearchParams): string | null {
  const fileId = parsePaneFile(search);
  if (fileId === null) return null;
  const params = new URLSearchParams(VIEW_PARAMS.flatMap((name) => (search.has(name) ? [[name, search.get(name)!]] : [])));
  return `/files/${fileId}${params.size > 0 ? `?${params}` : ""}`;
}

/** Returns the search params with another file beside the chat, or with none. All other params stay. */
export function withPaneFile(search: URLSearchParams, fileId: number | null, target: FileLinkTarget = {}): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of [FILE_PARAM, ...VIEW_PARAMS]) next.delete(name);
  if (fileId !== null) next.set(FILE_PARAM, String(fileId));
  return setTarget(next, target);
}

/** Returns the search params without the linked comment, which a page would otherwise follow again after each navigation. */
export function withoutLinkedComment(search: URLSearchParams): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete("comment");
  return next;
}

/** Returns the address at which a file opens. */
export const FileLinkContext = createContext<(fileId: number, target?: FileLinkTarget) => To>(filePath);

export const useFileLink = () => useContext(FileLinkContext);
