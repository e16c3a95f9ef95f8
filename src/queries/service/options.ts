import { queryOptions } from "@tanstack/react-query";
import { getService } from "../../api/service.ts";

export const serviceQueries = {
  /** What this service is and which features and limits it has; needs no sign-in. */
  current: () => queryOptions({ queryKey: ["service"], queryFn: ({ signal }) => getService({ signal }), staleTime: 5 * 60_000 }),
};
