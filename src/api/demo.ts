import * as operations from "../../contract/operations/demo.ts";
import { call, type CallOptions } from "./http.ts";

/** Returns the progress of the demo project. */
export const getDemo = async (options?: CallOptions) => (await call(operations.getDemo, {}, options)).data;
/** Creates the demo project in the background; a repeated call returns its progress. */
export const createDemo = async () => (await call(operations.createDemo, {})).data;
