import { fuzzOperations } from "../testing/fuzz.ts";

fuzzOperations(({ method }) => method === "GET");
