import { useQuery } from "@tanstack/react-query";
import { getPersisted } from "../../lib/remembered.ts";
import { sessionQueries } from "./options.ts";

/** Who is signed in, where that is probably nobody: the service is only asked if somebody was signed in here before. */
export const useMaybeSession = () => useQuery({ ...sessionQueries.current(), enabled: getPersisted("signed-in") !== null }).data;
