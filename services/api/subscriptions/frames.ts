// WebSocket text frames (RFC 6455, 5.2) from a server: one piece, not masked. Written straight to the socket, whole, so
// that they may stand between those of the ws library; extensions must be off for that.

const FIN_TEXT = 0x81;

export function textFrame(before: Buffer, body: Buffer, after: Buffer): Buffer {
  const length = before.length + body.length + after.length;
  const start = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(start + length);
  frame[0] = FIN_TEXT;
  if (start === 2) frame[1] = length;
  else if (start === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  before.copy(frame, start);
  body.copy(frame, start + before.length);
  after.copy(frame, start + before.length + body.length);
  return frame;
}
