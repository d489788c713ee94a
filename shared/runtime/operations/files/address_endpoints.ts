/**
 * Serves `GET` and `PUT /files/:address`: bytes in the store, by an address that `presign` gave, where the store has no server
 * of its own (definitions 3). The address itself is the permission: `presign` judged the caller before giving it.
 */
import type { ProjectModel } from "../../../model/mod.ts";
import { fileAddressOperationsOf, type PresignedMethod } from "../../../surface/mod.ts";
import { type Endpoint, serviceGate } from "../../gate.ts";
import { refuse } from "../../refusal.ts";
import { receiveFile } from "../../request/file_body.ts";
import { fileResponse } from "../../response/file.ts";
import { jsonResponse } from "../../response/record.ts";
import { filePortsOf } from "./file_call.ts";

export function fileAddressEndpoints(project: ProjectModel): readonly Endpoint[] {
  return fileAddressOperationsOf(project).map((route) => ({
    id: route.id,
    method: route.method,
    path: route.path,
    gate: serviceGate(route),
    handle: HANDLERS[route.kind],
  }));
}

const HANDLERS: Readonly<Record<PresignedMethod, Endpoint["handle"]>> = {
  async GET(request, address) {
    const ports = filePortsOf(request);
    const use = await ports.addresses.open("GET", address);
    if (use?.method !== "GET") return refuseAddress();
    return await fileResponse(request, ports.store, {
      ...use,
      cacheControl: "private, no-cache",
    }) ??
      refuseAddress();
  },
  async PUT(request, address) {
    const ports = filePortsOf(request);
    const use = await ports.addresses.open("PUT", address);
    if (use?.method !== "PUT" || ports.unreferred.isSpent(use.key)) return refuseAddress();
    const { size: maxSize, type } = use;
    const rule = { type: { kind: "file", maxSize, types: [type] }, name: "file" } as const;
    const { body } = await receiveFile(request, rule, ports);
    await ports.store.put(use.key, body);
    if (ports.unreferred.isSpent(use.key)) {
      // The upload was confirmed while its bytes came.
      await ports.store.remove(use.key);
      return refuseAddress();
    }
    return jsonResponse('{"success":true}', 200);
  },
};

function refuseAddress(): never {
  return refuse("FILE_NOT_FOUND", {
    detail: "The address leads to no file, or is good no more",
    hint: "Ask for a new one where this one came from",
  });
}
