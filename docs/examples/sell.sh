#!/bin/sh
# Sells a coupon: lists it, gets a bid, accepts it, and reads what the market has told the seller's program of it.
#
#   MARKET=https://market.example SELLER_KEY=clipswap_… BUYER_KEY=clipswap_… HOOK=https://robot.example/hook sh sell.sh
#
# The seller's key needs coupons:write, deals:read, deals:write, webhooks:read and webhooks:write; the buyer's deals:write.
set -eu

# call METHOD PATH KEY [JSON]
call() {
  curl --silent --show-error --fail-with-body --request "$1" "$MARKET$2" --header "Authorization: Bearer $3" \
    --header 'Content-Type: application/json' ${4:+--data "$4"}
}

# The first id in an answer.
id() {
  grep -o '"id":[0-9]*' | head -n 1 | cut -d : -f 2
}

made=$(call POST /api/webhooks "$SELLER_KEY" "{\"url\":\"$HOOK\",\"events\":[\"bid.placed\",\"bid.accepted\"]}")
hook=$(echo "$made" | id)
echo "Webhook $hook is signed with $(echo "$made" | grep -o 'whsec_[^"]*')"

coupon=$(call POST /api/coupons "$SELLER_KEY" '{
  "title": "Two coffees for one",
  "description": "Valid at every branch, weekdays only.",
  "merchant": "Corner Coffee",
  "category": "food",
  "value": 450,
  "hasNoExpiry": true,
  "codeValue": "LATTE-4471"
}' | id)
echo "Coupon $coupon is listed."

bid=$(call POST /api/bids "$BUYER_KEY" "{\"couponId\":$coupon,\"amount\":\"3.00\"}" | id)
echo "Bid $bid is placed."

call PUT "/api/bids/$bid/status" "$SELLER_KEY" '{"status":"accepted"}' > /dev/null
echo "Bid $bid is accepted."

# The webhook follows within seconds.
tries=0
while [ "$tries" -lt "${TRIES:-60}" ]; do
  sent=$(call GET "/api/webhooks/$hook/deliveries" "$SELLER_KEY")
  case $sent in
    *'"deliveredAt":null'*) ;;
    *'"type":"bid.accepted"'*)
      echo "The webhook has arrived: $sent"
      exit
      ;;
  esac
  tries=$((tries + 1))
  sleep 1
done
echo "The webhook has not arrived: $sent" >&2
exit 1
