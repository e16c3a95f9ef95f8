import { useQuery } from "@tanstack/react-query";
import { fileQueries } from "./options.ts";

export const useFileInfo = (fileId: number) => useQuery(fileQueries.info(fileId));
