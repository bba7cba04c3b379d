// Checks a proof of a Sabot journal: written from FORMAT.md alone, on golang.org/x/mod as Debian packages it.
//
//	verify -key <64 hex digits> [-witness NAME+ID+KEY]... FILE
//
// 0: every part is right. 1: something is not, and the line says which. It is built so, and for Windows with GOOS=windows:
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go build -o verify verify.go
package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const firstLine = "sabot-proof-1"
const tlogLine = "c2sp.org/tlog-proof@v1"

var markText = regexp.MustCompile(`^sabot/([0-9a-f]{16})/([A-Za-z0-9._%-]+)/([1-9][0-9]*)\n` +
	`([1-9][0-9]*)\n([A-Za-z0-9+/]{43}=)\nchain [0-9a-f]{64}\nsession (?:0|[1-9][0-9]*)\n$`)

// The key of a witness: its signature is over the time and the text.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
}

func (w witness) Name() string    { return w.name }
func (w witness) KeyHash() uint32 { return w.hash }
func (w witness) Verify(text, signature []byte) bool {
	if len(signature) != 8+ed25519.SignatureSize {
		return false
	}
	seen := binary.BigEndian.Uint64(signature[:8])
	signed := append([]byte(fmt.Sprintf("cosignature/v1\ntime %d\n", seen)), text...)
	return seen < 1<<63 && ed25519.Verify(w.key, signed, signature[8:])
}

func keyID(name string, typed []byte) uint32 {
	sum := sha256.Sum256(append([]byte(name+"\n"), typed...))
	return binary.BigEndian.Uint32(sum[:4])
}

func readWitness(text string) (witness, error) {
	parts := strings.SplitN(text, "+", 3)
	if len(parts) != 3 {
		return witness{}, errors.New("no key of a witness")
	}
	typed, err := fromBase64(parts[2])
	if err != nil || len(typed) != 33 || typed[0] != 4 {
		return witness{}, errors.New("no key of a witness")
	}
	found := witness{parts[0], keyID(parts[0], typed), typed[1:]}
	if fmt.Sprintf("%08x", found.hash) != parts[1] {
		return witness{}, errors.New("the id is not this key's")
	}
	return found, nil
}

// Of its one way to be written alone.
func fromBase64(text string) ([]byte, error) {
	data, err := base64.StdEncoding.DecodeString(text)
	if err == nil && base64.StdEncoding.EncodeToString(data) != text {
		err = errors.New("not the one base64 of its bytes")
	}
	return data, err
}

func openMark(mark string, key ed25519.PublicKey, witnesses []witness) (size int64, root tlog.Hash, err error) {
	origin, _, _ := strings.Cut(mark, "\n")
	typed := append([]byte{1}, key...)
	vkey := fmt.Sprintf("%s+%08x+%s", origin, keyID(origin, typed), base64.StdEncoding.EncodeToString(typed))
	table, err := note.NewVerifier(vkey)
	if err != nil {
		return 0, root, err
	}
	known := []note.Verifier{table}
	for _, one := range witnesses {
		known = append(known, one)
	}
	opened, err := note.Open([]byte(mark), note.VerifierList(known...))
	if err != nil {
		return 0, root, err
	}
	signed := map[string]bool{}
	for _, one := range opened.Sigs {
		signed[fmt.Sprint(one.Name, one.Hash)] = true
	}
	for _, one := range known {
		if !signed[fmt.Sprint(one.Name(), one.KeyHash())] {
			return 0, root, errors.New("not signed by " + one.Name())
		}
	}
	for _, line := range strings.Split(strings.TrimSuffix(mark[len(opened.Text)+1:], "\n"), "\n") {
		if _, err := fromBase64(line[strings.LastIndex(line, " ")+1:]); err != nil {
			return 0, root, err
		}
	}
	found := markText.FindStringSubmatch(opened.Text)
	if found == nil || found[1] != hex.EncodeToString(key)[:16] {
		return 0, root, errors.New("no mark of this table")
	}
	head, err := fromBase64(found[5])
	if err != nil {
		return 0, root, err
	}
	copy(root[:], head)
	size, err = strconv.ParseInt(found[4], 10, 64)
	return size, root, err
}

// The round of the last entry, by FORMAT.md's rule: counted from the opening of its session, if that is here.
type rounds struct {
	opened, ended   int64
	bet, spin, back bool
}

func (r *rounds) take(seq int64, kind string, refused bool) {
	switch {
	case refused:
	case kind == "open-session":
		*r = rounds{opened: seq}
	case kind == "announce-no-more-bets" || kind == "launch-ball":
		if !r.back {
			r.ended++
		}
		r.bet, r.spin, r.back = false, kind == "launch-ball", false
	case kind == "put-ball-back":
		r.back = true
	case (kind == "take-bets" || kind == "place-chips" || kind == "place-value-chips") && !r.spin:
		r.bet = true
	case kind == "confirm-payments":
		r.spin = false
	}
}

func (r *rounds) said() string {
	if r.opened == 0 {
		return "the round is not shown (its session's opening is not here)"
	}
	number := r.ended
	if r.bet {
		number++
	}
	return fmt.Sprintf("the last of round %d of the session that entry %d opened", number, r.opened)
}

func readEntry(payload []byte, index int64, counted *rounds) error {
	var fields map[string]json.RawMessage
	var seq int64
	var kind string
	if json.Unmarshal(payload, &fields) != nil || json.Unmarshal(fields["seq"], &seq) != nil || seq != index+1 ||
		json.Unmarshal(fields["kind"], &kind) != nil {
		return errors.New("not the entry of this index")
	}
	counted.take(seq, kind, string(fields["refusal"]) != "null")
	return nil
}

// The lines from the index on: as in a C2SP tlog-proof.
func checkPath(payload []byte, lines []string, size int64, root tlog.Hash, counted *rounds) (int64, error) {
	if len(lines) < 1 || !strings.HasPrefix(lines[0], "index ") {
		return 0, errors.New("no part of a proof")
	}
	index, err := strconv.ParseInt(lines[0][len("index "):], 10, 64)
	if err != nil || strconv.FormatInt(index, 10) != lines[0][len("index "):] {
		return 0, errors.New("no index")
	}
	if err := readEntry(payload, index, counted); err != nil {
		return 0, err
	}
	var proof tlog.RecordProof
	for _, line := range lines[1:] {
		data, err := fromBase64(line)
		if err != nil || len(data) != tlog.HashSize {
			return 0, errors.New("no hash")
		}
		var hash tlog.Hash
		copy(hash[:], data)
		proof = append(proof, hash)
	}
	return index, tlog.CheckRecord(proof, size, root, index, tlog.RecordHash(payload))
}

// The payload and the other lines of a part: of ours, or of a C2SP tlog-proof, which has the payload as its extra data.
func split(part string, alone bool) ([]byte, []string, error) {
	lines := strings.Split(part, "\n")
	if alone {
		if len(lines) < 2 || !strings.HasPrefix(lines[1], "extra ") {
			return nil, nil, errors.New("no payload in the extra data")
		}
		payload, err := fromBase64(lines[1][len("extra "):])
		return payload, lines[2:], err
	}
	if !strings.HasPrefix(lines[0], "entry ") {
		return nil, nil, errors.New("no part of a proof")
	}
	return []byte(lines[0][len("entry "):]), lines[1:], nil
}

func check(data []byte, key ed25519.PublicKey, witnesses []witness) (string, error) {
	parts := strings.Split(string(data), "\n\n")
	alone := strings.HasPrefix(parts[0], tlogLine+"\n") && len(parts) == 3
	if !alone && (len(parts) < 4 || parts[0] != firstLine) || bytes.ContainsRune(data, '\r') {
		return "", errors.New("no proof")
	}
	entries := parts[1 : len(parts)-2]
	if alone {
		entries = parts[:1]
	}
	mark := strings.Join(parts[len(parts)-2:], "\n\n")
	size, root, err := openMark(mark, key, witnesses)
	if err != nil {
		return "", err
	}
	var first, last int64
	var counted rounds
	for number, part := range entries {
		payload, lines, err := split(part, alone)
		if err != nil {
			return "", err
		}
		index, err := checkPath(payload, lines, size, root, &counted)
		if err != nil {
			return "", err
		}
		if number == 0 {
			first = index
		} else if index != last+1 {
			return "", errors.New("an entry is missing")
		}
		last = index
	}
	origin, _, _ := strings.Cut(mark, "\n")
	return fmt.Sprintf("well: entries %d to %d of %d in %s; %s", first+1, last+1, size, origin, counted.said()), nil
}

func checkEach(key ed25519.PublicKey, witnesses []witness) {
	in := bufio.NewReader(os.Stdin)
	for {
		var size uint32
		if binary.Read(in, binary.LittleEndian, &size) != nil {
			return
		}
		data := make([]byte, size)
		if _, err := io.ReadFull(in, data); err != nil {
			return
		}
		if said, err := check(data, key, witnesses); err != nil {
			fmt.Println("not well:", strconv.Quote(err.Error()))
		} else {
			fmt.Println(said)
		}
	}
}

type keys []string

func (k *keys) String() string         { return strings.Join(*k, " ") }
func (k *keys) Set(value string) error { *k = append(*k, value); return nil }

func main() {
	var named keys
	text := flag.String("key", "", "the table's public key, 64 hexadecimal digits")
	each := flag.Bool("each", false, "read proofs from standard input, each behind its length in four bytes; a line for each")
	flag.Var(&named, "witness", "the key of a witness who must have signed; may be repeated")
	flag.Parse()
	key, err := hex.DecodeString(*text)
	if err != nil || len(key) != ed25519.PublicKeySize || (flag.NArg() != 1) != *each {
		flag.Usage()
		os.Exit(2)
	}
	var witnesses []witness
	for _, one := range named {
		found, err := readWitness(one)
		if err != nil {
			fmt.Println("not well:", err)
			os.Exit(2)
		}
		witnesses = append(witnesses, found)
	}
	if *each {
		checkEach(key, witnesses)
		return
	}
	data, err := os.ReadFile(flag.Arg(0))
	if err == nil {
		var said string
		if said, err = check(data, key, witnesses); err == nil {
			fmt.Println(said)
			return
		}
	}
	fmt.Println("not well:", err)
	os.Exit(1)
}
