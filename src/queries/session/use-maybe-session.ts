import { useQuery } from "@tanstack/react-query";
import { getPersisted } from "../../lib/remembered.ts";
import { sessionQueries } from "./options.ts";

/** Returns the session in views where usually nobody is signed in; asks the service only if somebody was signed in here before. */
export const useMaybeSession = () => useQuery({ ...sessionQueries.current(), enabled: getPersisted("signed-in") !== null }).data;
