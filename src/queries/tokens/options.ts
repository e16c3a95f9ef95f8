import { queryOptions } from "@tanstack/react-query";
import { listTokens } from "../../api/tokens.ts";

export const tokenQueries = {
  all: () => queryOptions({ queryKey: ["tokens"], queryFn: ({ signal }) => listTokens({ signal }) }),
};
