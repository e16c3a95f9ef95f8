/** Where a file opens that is named in a chat: on its page, or beside the chat if the window is wide enough. */
import { createContext, useContext } from "react";
import type { To } from "react-router";

/** Returns the address at which a file opens. */
export const FileLinkContext = createContext<(fileId: number) => To>((fileId) => `/files/${fileId}`);

export const useFileLink = () => useContext(FileLinkContext);
