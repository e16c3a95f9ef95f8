import * as operations from "../../contract/operations/session.ts";
import { call, type CallOptions } from "./http.ts";

export const listSessions = async (options?: CallOptions) => (await call(operations.listSessions, {}, options)).data;

export const endSession = (session_id: number) => call(operations.endSession, { params: { session_id } });

export const endAllSessions = () => call(operations.endAllSessions, {});
