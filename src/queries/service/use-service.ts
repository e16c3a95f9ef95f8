import { useQuery } from "@tanstack/react-query";
import { serviceQueries } from "./options.ts";

export const useService = () => useQuery(serviceQueries.current());
