import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { FileCommon } from "../../../contract/records.ts";
import { statusQueries } from "./options.ts";

/** Returns who set which status of a file when, newest first. */
export const useStatusHistory = ({ id, status }: FileCommon) =>
  useInfiniteQuery({ ...statusQueries.history(id, status?.id ?? null), placeholderData: keepPreviousData });
