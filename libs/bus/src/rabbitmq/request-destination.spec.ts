import { beforeEach, describe, expect, it } from 'vitest';
import { type PendingRequest, RequestDestination } from './request-destination.ts';
import { Topology } from './topology.ts';

describe('the destination of requests', () => {
  let destination: RequestDestination;
  let lastId = 0;

  beforeEach(() => {
    destination = new RequestDestination('catalog', new Topology('test'));
  });

  /** Adds a request that was sent at the time 0 in a message of its own. */
  const send = (changes = false) => {
    const request: PendingRequest = {
      id: (lastId += 1),
      text: '',
      deadline: 30_000,
      changes,
      sent: { number: 0, at: 0, message: destination.nextMessage() },
      passedAt: null,
      inHandAt: null,
      isReturned: false,
      repeats: 0,
      resolve: () => undefined,
      reject: () => undefined,
      hang: () => hanging.push(request.id),
    };
    destination.pending.set(request.id, request);
    return request;
  };
  let hanging: number[];
  beforeEach(() => (hanging = []));

  it('leaves a request alone that may wait in its queue, however long', () => {
    send();
    expect(destination.uncertainQueues(249)).toEqual([]);
    expect(destination.uncertainQueues(250)).toEqual([0]);
    expect(destination.lostRequests(29_000)).toEqual([]);
    expect(hanging).toEqual([]);
  });

  it('loses a request without a sign after a later message was received', () => {
    const request = send();
    destination.received(0, destination.nextMessage(), 300);
    expect(destination.uncertainQueues(400)).toEqual([]);
    expect(destination.lostRequests(400)).toEqual([]);
    expect(destination.lostRequests(899)).toEqual([]);
    expect(destination.lostRequests(900)).toEqual([request]);
    expect(hanging).toEqual([request.id]);
  });

  it('keeps a request when a message in another queue was received', () => {
    send();
    destination.received(1, destination.nextMessage(), 300);
    destination.lostRequests(300);
    expect(destination.lostRequests(29_000)).toEqual([]);
  });

  it('loses a request that a replica had when its signs end', () => {
    const request = send();
    destination.inHand(request.id, 5_000);
    expect(destination.lostRequests(5_999)).toEqual([]);
    expect(destination.lostRequests(6_000)).toEqual([request]);
  });

  it('keeps a change that a replica had until the broker has taken it from the replica', () => {
    const change = send(true);
    destination.inHand(change.id, 1_000);
    expect(destination.lostRequests(9_000)).toEqual([]);
    expect(hanging).toEqual([change.id]);
    expect(destination.returned(change.id, 9_000)).toBe(change);
  });

  it('ignores that a copy is returned while another replica has the request', () => {
    const request = send(true);
    destination.inHand(request.id, 1_000);
    expect(destination.returned(request.id, 1_100)).toBeUndefined();
    expect(destination.lostRequests(1_900)).toEqual([]);
    // That replica was the one from which the broker took it.
    expect(destination.lostRequests(2_000)).toEqual([request]);
  });

  it('repeats a request five times at most', () => {
    const request = send();
    destination.received(0, destination.nextMessage(), 0);
    destination.lostRequests(0);
    let repeats = 0;
    for (let now = 250; now < 29_000; now += 250) {
      destination.received(0, destination.nextMessage(), now);
      for (const lost of destination.lostRequests(now)) {
        repeats += 1;
        lost.repeats += 1;
        lost.passedAt = null;
        lost.sent = { number: 0, at: now, message: destination.nextMessage() };
      }
    }
    expect([repeats, request.repeats]).toEqual([5, 5]);
  });
});
