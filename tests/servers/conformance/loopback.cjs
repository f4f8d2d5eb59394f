// Keeps every server of the process it is loaded into on this computer: `node --require loopback.cjs …`.
//
// The suite's servers are to listen on no address in particular, which means on all of them. The place where Node.js binds is
// changed rather than `listen` itself, because the suite asks for the port in the same moment, before an address could be looked up.
"use strict";

const { Server } = require("node:net");

const LOOPBACK = "127.0.0.1";
const EVERYWHERE = new Set([null, undefined, "", "::", "0.0.0.0"]);
const bind = Server.prototype._listen2;

if (typeof bind !== "function") {
  throw new Error("this version of Node.js binds in another way: the suite would be reachable from other computers");
}

Server.prototype._listen2 = function (address, port, family, ...rest) {
  // A pipe has no port.
  const everywhere = EVERYWHERE.has(address) && port !== -1;
  return everywhere ? bind.call(this, LOOPBACK, port, 4, ...rest) : bind.call(this, address, port, family, ...rest);
};
