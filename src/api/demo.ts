import * as operations from "../../contract/operations/demo.ts";
import type { Api, CallOptions } from "./http.ts";

/** Returns the progress of the demo project. */
export const getDemo = async (api: Api, options?: CallOptions) => (await api.call(operations.getDemo, {}, options)).data;
/** Creates the demo project in the background; a repeated call returns its progress. */
export const createDemo = async (api: Api) => (await api.call(operations.createDemo, {})).data;
