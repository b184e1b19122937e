#!/usr/bin/env bash
# A bot that needs nothing but bash: `exec:bash examples/bot.sh`. It plays its first legal choice.
#
# It looks for the few fields that it wants, wherever they stand, and reads no JSON: our requests
# tell `id` and `ask` first, so that what comes later cannot be taken for them.

id='"id": *(-?[0-9]+|"[^"]*")'
ask='"ask": *"([a-z]*)"'
first='"legal": *\[\{"choice": *([0-9]+)'

say() { printf "{\"id\": %s, $1}\n" "$number" "${@:2}"; }

while IFS= read -r line; do
  [[ $line =~ $id ]] && number=${BASH_REMATCH[1]} || number=null
  [[ $line =~ $ask ]] && asked=${BASH_REMATCH[1]} || asked=choice
  case $asked in
    quit) exit 0 ;;
    stop) ;; # the answer has been given already
    hello) say '"name": "first, in bash", "protocol": 1' ;;
    choice)
      if [[ $line =~ $first ]]; then
        say '"choice": %d' "${BASH_REMATCH[1]}"
      else
        say '"error": "there are no legal choices"'
      fi
      ;;
    *) say '"error": "I do not know how to answer that"' ;;
  esac
done
