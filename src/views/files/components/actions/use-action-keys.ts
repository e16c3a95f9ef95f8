import type { KeyboardEvent } from "react";
import type { FilesRoom } from "../files-room.ts";

/** The keys of the listing that do something with what is selected; answers whether the key was one of them. */
export function useActionKeys(_room: FilesRoom): (event: KeyboardEvent) => boolean {
  return () => false;
}
