// A WebSocket for the client of graphql-ws whose server may put several messages in one frame, each in a line of its
// own. A browser handles each frame as an event, which takes longer than all that the page does with a small message.

/** A server that does not know it takes the protocol of the client. */
const LINES = "graphql-transport-ws.lines";

export class LinesSocket extends WebSocket {
  constructor(url: string | URL, protocol: string) {
    super(url, [LINES, protocol]);
  }

  override set onmessage(handler: typeof WebSocket.prototype.onmessage) {
    super.onmessage = handler && ((event) => this.#pass(event, handler));
  }

  override get onmessage(): typeof WebSocket.prototype.onmessage {
    return super.onmessage;
  }

  #pass({ data }: MessageEvent<string>, handler: NonNullable<typeof WebSocket.prototype.onmessage>): void {
    // The client reads nothing else of an event, and making events takes as long as parsing the messages.
    for (const line of data.split("\n")) handler.call(this, { data: line } as MessageEvent<string>);
  }
}
